/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

const char *vk_result_text(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return "VK_SUCCESS";
    case VK_NOT_READY:
        return "VK_NOT_READY";
    case VK_TIMEOUT:
        return "VK_TIMEOUT";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER (no Vulkan driver found)";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS:
        return "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS";
    default:
        return "a VkResult that this build does not know";
    }
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT type,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct vk_messages *messages = user;
    (void)severity;
    if (!(type & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)) {
        return VK_FALSE; /* the loader's messages about drivers that it could not load are not ours */
    }
    if (messages->count++ == 0 && data->pMessage) {
        /* Users look up the identifier, which newer layers leave out of the message itself. */
        snprintf(messages->first, sizeof messages->first, "%s: %s",
                 data->pMessageIdName ? data->pMessageIdName : "validation", data->pMessage);
    }
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct vk_messages *messages, const void *next)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = next,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType =
            VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = messages};
}

static bool instance_offers(const char *layer, const char *extension)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateInstanceExtensionProperties(layer, &count, NULL) < 0) {
        return false;
    }
    VkExtensionProperties *all = calloc(count ? count : 1, sizeof *all);
    if (all && vkEnumerateInstanceExtensionProperties(layer, &count, all) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(all[i].extensionName, extension) == 0;
        }
    }
    free(all);
    return found;
}

static bool validation_layer_present(void)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateInstanceLayerProperties(&count, NULL) < 0) {
        return false;
    }
    VkLayerProperties *all = calloc(count ? count : 1, sizeof *all);
    if (all && vkEnumerateInstanceLayerProperties(&count, all) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(all[i].layerName, validation_layer) == 0;
        }
    }
    free(all);
    return found;
}

static bool messenger_open(struct vk_instance *instance, struct error *error)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(&instance->messages, NULL);
    PFN_vkCreateDebugUtilsMessengerEXT create = (PFN_vkCreateDebugUtilsMessengerEXT)(void (*)(
        void))vkGetInstanceProcAddr(instance->handle, "vkCreateDebugUtilsMessengerEXT");
    if (!create || create(instance->handle, &info, NULL, &instance->messenger) != VK_SUCCESS) {
        return error_set(error, "the validation layer's messages cannot be received (VK_EXT_debug_utils)");
    }
    return true;
}

static void explain_no_instance(VkResult result, struct error *error)
{
    const char *files = getenv("VK_DRIVER_FILES");
    files = files ? files : getenv("VK_ICD_FILENAMES");
    if (result != VK_ERROR_INCOMPATIBLE_DRIVER) {
        error_set(error, "Vulkan does not start: %s", vk_result_text(result));
    } else if (files) {
        error_set(
            error,
            "no Vulkan driver: none loads of those that VK_DRIVER_FILES or VK_ICD_FILENAMES names: %.200s",
            files);
    } else {
        error_set(error,
                  "no Vulkan driver: install the GPU's, or one for the CPU (Debian: mesa-vulkan-drivers)");
    }
}

bool vk_instance_open(struct vk_instance *instance, bool validate, struct error *error)
{
    *instance = (struct vk_instance){0};
    uint32_t version = VK_API_VERSION_1_0;
    const char *extensions[3];
    uint32_t count = 0;
    VkInstanceCreateFlags flags = 0;
    if (!vk_loader_open(error)) {
        return false;
    }
    if (validate && !validation_layer_present()) {
        return error_set(error,
                         "validation was asked for and %s is not installed (Debian: vulkan-validationlayers)",
                         validation_layer);
    }
    VK(vkEnumerateInstanceVersion(&version));
    if (instance_offers(NULL, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
        extensions[count++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
        flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    if (validate) {
        extensions[count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        extensions[count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;
    }
    const VkValidationFeatureEnableEXT enable = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = &enable};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(&instance->messages, &features);
    const char *layer = validation_layer;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "assay",
                                           .apiVersion =
                                               version < VK_API_VERSION_1_2 ? version : VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = validate ? &messenger : NULL,
                                       .flags = flags,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = validate,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = count,
                                       .ppEnabledExtensionNames = extensions};
    VkResult made = vkCreateInstance(&info, NULL, &instance->handle);
    if (made < 0) {
        instance->handle = VK_NULL_HANDLE;
        explain_no_instance(made, error);
        goto fail;
    }
    if (!validate || messenger_open(instance, error)) {
        return true;
    }
fail:
    vk_instance_close(instance);
    return false;
}

void vk_instance_close(struct vk_instance *instance)
{
    if (instance->messenger) {
        PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)(void (*)(
            void))vkGetInstanceProcAddr(instance->handle, "vkDestroyDebugUtilsMessengerEXT");
        if (destroy) {
            destroy(instance->handle, instance->messenger, NULL);
        }
    }
    if (instance->handle) {
        vkDestroyInstance(instance->handle, NULL);
    }
    *instance = (struct vk_instance){0};
}
