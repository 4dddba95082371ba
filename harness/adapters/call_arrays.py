# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What call_checks.py does with tensors of PyTorch and with arrays of numpy: addresses, other values, other sizes, poison.

The two classes have the same methods. A storage is what the adapter's upload() returns, an operand a view of one."""

import math


def other_values(values, is_number, flipped, half, same):
    """Values of the same kind for the same places: in reverse order, and halved if they are floating-point numbers, so that
    places in tensors, probabilities and variances stay what they are. 0.5 where that changes nothing."""
    new = flipped(values)
    if not is_number:
        return new
    new = new * half
    return new * 0 + half if same(new, values) else new


class TorchArrays:
    def __init__(self, torch, dtypes, device):
        self.torch, self.dtypes, self.device, self.kind = torch, dtypes, device, torch.Tensor

    def is_number(self, operand):
        return operand.is_floating_point() or operand.is_complex()

    def is_integer(self, operand):
        return not self.is_number(operand) and operand.dtype != self.torch.bool

    def storage_range(self, storage):
        return storage.data_ptr(), storage.data_ptr() + storage.numel()

    def extent(self, tensor):
        """Returns the addresses of the first byte of a tensor and behind its last byte."""
        if not tensor.numel():
            return 0, 0
        last = sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride()))
        return tensor.data_ptr(), tensor.data_ptr() + (last + 1) * tensor.element_size()

    def strange(self, value):
        """Returns what is wrong with a result before its dtype and shape are known; "" if nothing."""
        if not isinstance(value, self.torch.Tensor):
            return "of type %s, not a torch.Tensor" % type(value).__name__
        if value.layout != self.torch.strided:
            return "a tensor of layout %s, not a strided one" % value.layout
        return "" if value.device.type == self.device.type else "on %s, and its operands are on %s" % (value.device, self.device)

    def overwrite(self, operand, shape, strides, offset, count):
        """Gives an operand other values in place; `count`: the elements of its storage."""
        torch = self.torch
        if not operand.numel():
            return
        whole = torch.as_strided(operand, (count,), (1,), 0)
        if operand.is_contiguous():
            place = slice(offset, offset + operand.numel())
        else:  # each element once, although strides may show it several times
            place = torch.unique(torch.as_strided(torch.arange(count, device=operand.device), shape, strides, offset))
        whole[place] = other_values(whole[place], self.is_number(operand), lambda x: x.flip(0), 0.5, torch.equal)

    def restore(self, storage, data):
        if data:
            storage.copy_(self.torch.frombuffer(bytearray(data), dtype=self.torch.uint8))

    def of_shape(self, operand, shape):
        """A new contiguous operand whose elements are those of `operand`, repeated or cut off."""
        count, flat = math.prod(shape), operand.reshape(-1)
        return flat[self.torch.arange(count, device=flat.device) % flat.numel()].reshape(shape).clone()

    def poison(self, dtype, shape):
        """A tensor of NaN, or of another value that an operator hardly returns."""
        kind = self.dtypes[dtype]
        return self.torch.full(shape, math.nan if kind.is_floating_point or kind.is_complex else True if kind == self.torch.bool else 77,
                               dtype=kind, device=self.device)

    def one_nan(self, value):
        torch, value = self.torch, value.detach()
        if value.is_complex():
            return torch.view_as_complex(self.one_nan(torch.view_as_real(value.resolve_conj())).contiguous())
        return torch.where(value != value, torch.full_like(value, math.nan), value) if value.is_floating_point() else value

    def wide(self, value):
        host = value.detach().to("cpu")
        return host.to(self.torch.complex128 if host.is_complex() else self.torch.float64)


class NumpyArrays:
    def __init__(self, numpy, dtypes):
        self.numpy, self.dtypes, self.kind = numpy, dtypes, numpy.ndarray

    def is_number(self, operand):
        return operand.dtype.kind in "fcV"  # V: bfloat16 of ml_dtypes

    def is_integer(self, operand):
        return operand.dtype.kind in "iu"

    def storage_range(self, storage):
        if not storage:
            return 0, 0
        start = self.numpy.frombuffer(storage, "u1").ctypes.data
        return start, start + len(storage)

    def extent(self, array):
        if not array.size:
            return 0, 0
        steps = [(n - 1) * s for n, s in zip(array.shape, array.strides)]
        start = array.__array_interface__["data"][0] if isinstance(array, self.numpy.ndarray) else 0  # a scalar has no place
        return (start + sum(min(s, 0) for s in steps), start + sum(max(s, 0) for s in steps) + array.itemsize) if start else (0, 0)

    def strange(self, value):
        good = isinstance(value, (self.numpy.ndarray, self.numpy.generic))
        return "" if good else "of type %s, not a numpy array" % type(value).__name__

    def overwrite(self, operand, shape, strides, offset, count):
        numpy = self.numpy
        if not operand.size:
            return
        owner = operand
        while isinstance(owner.base, numpy.ndarray):
            owner = owner.base
        whole = numpy.ndarray((count,), operand.dtype, owner.base)
        item = numpy.dtype("i8").itemsize
        index = numpy.lib.stride_tricks.as_strided(numpy.arange(count)[offset:], shape, [s * item for s in strides])
        place = numpy.unique(index)
        half = operand.dtype.type(0.5) if self.is_number(operand) else None
        with numpy.errstate(all="ignore"):
            whole[place] = other_values(whole[place], self.is_number(operand), lambda x: x[::-1], half, numpy.array_equal)

    def restore(self, storage, data):
        storage[:] = data

    def of_shape(self, operand, shape):
        return self.numpy.resize(operand, shape)

    def poison(self, dtype, shape):
        kind = self.dtypes[dtype]
        return self.numpy.full(shape, True if kind.kind == "b" else 77 if kind.kind in "iu" else math.nan, kind)

    def one_nan(self, value):
        array = self.numpy.array(value)  # a copy
        for part in (array.real, array.imag) if array.dtype.kind == "c" else (array,):
            if self.is_number(array):
                part[part != part] = math.nan
        return array

    def wide(self, value):
        array = self.numpy.asarray(value)
        return array.astype("c16" if array.dtype.kind == "c" else "f8")
