# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Wrong results of PyTorch, in plain calls on the CPU, or on the device given as an argument: torch_findings.py cuda."""

import contextlib
import math
import sys

import torch
import torch_network_findings as networks
from finding import raised, report
from torch_network_findings import DEVICE, F, tensor


def random(*shape, mean=0.0):
    return (mean + torch.randn(*shape, generator=torch.Generator().manual_seed(1))).to(DEVICE)


def gradients_of_extrema_count_ties_in_half():
    """The gradients of amax and amin among 65,521 equal float16 numbers: each is 1/65,521, and float16 counts to 65,504."""
    got = []
    for extremum in (torch.amax, torch.amin):
        x = torch.ones(65521, dtype=torch.float16, device=DEVICE, requires_grad=True)
        extremum(x).backward()
        got.append(x.grad[0].item())
    return [1 / 65521] * 2, got, all(abs(g * 65521 - 1) < 0.01 for g in got)


def sgn_of_large_and_small_complex_numbers():
    """torch.sgn of 2^127·(1 + i) and of 2^-149·(1 + i): |z| overflows or underflows."""
    got = torch.sgn(tensor([complex(2.0**127, 2.0**127), complex(2.0**-149, 2.0**-149)], torch.complex64)).tolist()
    right = complex(math.sqrt(0.5), math.sqrt(0.5))
    return [right] * 2, got, all(abs(z - right) < 1e-6 for z in got)


def sgn_of_an_infinity_depends_on_its_place():
    """torch.sgn of seventeen equal numbers inf + 1i: the vector body and the last element differ."""
    got = {str(z) for z in torch.sgn(tensor([complex(math.inf, 1)] * 17, torch.complex64)).tolist()}
    return "one answer", sorted(got), len(got) == 1


def slogdet_of_nan_has_sign_zero():
    """slogdet of a matrix with a NaN has sign 0, that of a singular matrix."""
    got = torch.linalg.slogdet(tensor([[math.nan, 1, 2], [3, 4, 5], [6, 7, 9]], torch.float64)).sign.item()
    return "nan", got, got != 0


def logdet_of_nan_is_a_number():
    """logdet of a 33×33 matrix with one NaN entry, the last."""
    x = random(33, 33)
    x[-1, -1] = math.nan
    got = torch.logdet(x).item(), torch.linalg.slogdet(x).logabsdet.item()
    return "nan", got, all(map(math.isnan, got))


def norms_leave_the_range():
    """‖(3, 4)·2^63‖ and ‖(3e-25, 4e-25)‖ in float32, as vectors and as matrices."""
    large, small = tensor([[3, 4]]) * 2.0**63, tensor([[3e-25, 4e-25]])
    got = [norm(x).item() for norm in (torch.linalg.vector_norm, torch.linalg.matrix_norm) for x in (large, small)]
    right = [5 * 2.0**63, 5e-25] * 2
    return right, got, all(abs(a - b) < 1e-5 * a for a, b in zip(right, got))


def norms_of_high_order():
    """vector_norm of order 200 of (1.5, 1.25, 1.9): powers are not scaled."""
    got = torch.linalg.vector_norm(tensor([1.5, 1.25, 1.9]), ord=200).item()
    return 1.9, got, abs(got - 1.9) < 1e-5


def overlapping_windows_are_written():
    """x[::1] as windows of three that overlap by two, written in place: the same memory is written thrice, and no error."""
    windows = torch.arange(8.0, device=DEVICE).as_strided((6, 3), (1, 1))
    got = raised(lambda: tuple(windows.add_(torch.ones(6, 3, device=DEVICE)).shape))
    return "RuntimeError", got, isinstance(got, str)


def group_norm_of_channels_last_cancels():
    """group_norm of a channels-last input with mean 1e3 and deviation 1: E[x²] − E[x]²."""
    x = random(2, 4, 8, 8, mean=1e3)
    right = F.group_norm(x.double(), 2)
    error = (F.group_norm(x.contiguous(memory_format=torch.channels_last), 2).double() - right).abs().max().item()
    return "within 1e-3", "off by %.2g" % error, error < 1e-3


def matrix_exp_of_degree_8():
    """float32 matrix_exp where 0.3 < ‖A‖₁ < 0.58: the greatest normwise error of 200 random matrices, in u."""
    worst = 0.0, 0.0
    for k in range(200):
        a = random(4, 4, 200)[:, :, k]
        a = a / a.abs().sum(0).max() * (0.3 + 0.28 * k / 200)
        right = torch.matrix_exp(a.double())
        error = (torch.matrix_exp(a).double() - right).abs().sum(0).max() / right.abs().sum(0).max()
        worst = max(worst, (error.item() * 2**24, a.abs().sum(0).max().item()))
    return "a few u", "%.3g u at norm %.3g" % worst, worst[0] < 20


def normalizations_leave_the_range():
    """layer_norm and rms_norm of (1, 2, 3, 5)·1e20 in float32."""
    x = tensor([1e20, 2e20, 3e20, 5e20])
    right = F.layer_norm(x.double(), (4,))
    norms = [F.layer_norm] + ([F.rms_norm] if hasattr(F, "rms_norm") else [])
    got = [norm(x, (4,)).tolist() for norm in norms]
    return [round(y, 4) for y in right.tolist()], got, (torch.tensor(got[0]) - right.float().cpu()).abs().max().item() < 1e-4


def instance_norm_of_an_empty_batch():
    """instance_norm of [0, 3, 4] with a weight is [0, 3, 4]."""
    got = raised(lambda: tuple(F.instance_norm(torch.ones(0, 3, 4, device=DEVICE), weight=torch.ones(3, device=DEVICE)).shape))
    return (0, 3, 4), got, got == (0, 3, 4)


def rms_norm_has_the_eps_of_float32():
    """rms_norm of float16 without eps: the documentation says torch.finfo(input.dtype).eps, 2^-10."""
    x = torch.full((4,), 2.0**-8, dtype=torch.float16, device=DEVICE)
    right, got = 2.0**-8 / math.sqrt(2.0**-16 + 2.0**-10), F.rms_norm(x, (4,))[0].item()
    return right, got, abs(got - right) < 1e-3


def gradients_near_the_greatest_number():
    """batch_norm in evaluation with x = ±3e38 and a variance of 1e12: the weight's gradient sums x·1e-6·1e3, x·1e3 alone overflows."""
    x, weight = tensor([[3e38], [-3e38]]), tensor([1.0]).requires_grad_()
    F.batch_norm(x, tensor([0.0]), tensor([1e12]), weight, None, False, eps=1e-5).backward(tensor([[1e3], [1e3]]))
    got = weight.grad.item()
    return 0.0, got, got == 0


def unscaling_takes_large_doubles_for_infinite():
    """GradScaler's unscaling of a float64 gradient of 1e300: finite, but found_inf is set."""
    found = torch.zeros(1, device=DEVICE)
    got = raised(lambda: (torch._amp_foreach_non_finite_check_and_unscale_([tensor([1e300], torch.float64)], found, tensor([1.0])),
                          found.item())[1])
    return 0.0, got, got == 0


def activations_leave_the_range():
    """silu(-88.73) is -2.6e-37 in float32, a normal number, and hardswish(2e38) is 2e38."""
    right, got = [-2.59e-37, 2e38], [F.silu(tensor([-88.73] * 64))[0].item(), F.hardswish(tensor([2e38] * 64))[0].item()]
    return right, got, all(abs(a - b) < 1e-2 * abs(a) for a, b in zip(right, got))


def log1p_of_large_numbers():
    """log1p(1.5e38) in float32 and log1p(1.6e307) in float64."""
    right = [math.log(1.5e38), math.log(1.6e307)]
    got = [torch.log1p(tensor([1.5e38] * 64))[0].item(), torch.log1p(tensor([1.6e307] * 64, torch.float64))[0].item()]
    return right, got, all(abs(a - b) < 1e-5 * a for a, b in zip(right, got))


def erf_of_small_bfloat16():
    """erf(2^-20) and erf(2^-120) in bfloat16: 2/sqrt(pi) of them."""
    x = [2.0**-20, 2.0**-120]
    right = [2 / math.sqrt(math.pi) * a for a in x]
    got = [torch.erf(tensor([a] * 64, torch.bfloat16))[0].item() for a in x]
    return right, got, all(abs(a - b) < 2.0**-7 * a for a, b in zip(right, got))


def hardsigmoid_multiplies_doubles_by_a_single_sixth():
    """hardsigmoid(4.0) in float64 is 1."""
    got = F.hardsigmoid(tensor([4.0] * 64, torch.float64))[0].item()
    return 1.0, got, got == 1.0


def derivative(function, grad, x, dtype=torch.float32):
    """What autograd gives for one element of 64 equal ones."""
    x = tensor([x] * 64, dtype).requires_grad_()
    return torch.autograd.grad(function(x), x, tensor([grad] * 64, dtype))[0][0].item()


def gradients_of_activations_leave_the_range():
    """Of gelu's approximation by tanh at -1.45e35 with the gradient 1 (0), of softplus at 16.34 with 1e35, of selu at -2e21 with
    2.74e38 (0)."""
    right = [0.0, 1e35 / (1 + math.exp(-16.34)), 0.0]
    got = [derivative(lambda x: F.gelu(x, approximate="tanh"), 1.0, -1.45e35), derivative(F.softplus, 1e35, 16.34),
           derivative(F.selu, 2.74e38, -2e21)]
    return right, got, all(abs(a - b) <= 1e-5 * abs(a) for a, b in zip(right, got))


def gradient_of_silu_and_mish_far_below_zero():
    """With the gradient 1e4 at -88.7228394: e = exp(x) is 2.94e-39; x·e to first order."""
    x = float(torch.tensor(-88.7228394))
    right, got = [1e4 * (1 + x) * math.exp(x)] * 2, [derivative(F.silu, 1e4, x), derivative(F.mish, 1e4, x)]
    return right, got, all(abs(a - b) <= 1e-3 * abs(a) for a, b in zip(right, got))


def gradient_of_celu_has_a_single_alpha():
    """celu's gradient in float64 at -1 with alpha = 2.7 is exp(-1/2.7); 1/alpha is taken of a float32."""
    right, got = math.exp(-1 / 2.7), derivative(lambda x: F.celu(x, 2.7), 1.0, -1.0, torch.float64)
    return right, got, abs(got - right) < 1e-15


def gradient_of_hardsigmoid_has_a_single_sixth():
    """hardsigmoid's gradient in float64 is 1/6 between -3 and 3."""
    got = derivative(F.hardsigmoid, 1.0, 0.2, torch.float64)
    return 1 / 6, got, abs(got - 1 / 6) < 1e-16


def fmod_of_a_great_quotient():
    """fmod(7e26, 6e-33) in float32, fmod(3e145, 1e-187) in float64, 64 of each: the quotient overflows or nearly so, the
    remainder is exact."""
    right, got = [], []
    for x, y, dtype in ((7e26, 6e-33, torch.float32), (3e145, 1e-187, torch.float64)):
        a, b = tensor([x] * 64, dtype), tensor([y] * 64, dtype)
        right.append(math.fmod(a[0].item(), b[0].item()))
        got.append(torch.fmod(a, b)[0].item())
    return right, got, got == right


def floor_divide_of_float16():
    """floor_divide of 4.0117 by 0.0054703 in float16, 64 of each: the quotient is 733.37."""
    x, y = tensor([4.0117] * 64, torch.float16), tensor([0.0054703] * 64, torch.float16)
    right, got = math.floor(x[0].item() / y[0].item()), torch.floor_divide(x, y)[0].item()
    return right, got, got == right


def gelu_of_small_bfloat16():
    """gelu(1.85·2^-126) in bfloat16 is half of it, a subnormal number."""
    x = 1.84375 * 2.0**-126
    got = F.gelu(tensor([x] * 64, torch.bfloat16))[0].item()
    return x / 2, got, abs(got - x / 2) < 2.0**-133


def elu_cancels():
    """elu, celu and selu of -1e-10: exp(x) - 1 is 0."""
    right = [-1e-10, -1e-10, -1.0507009873554805 * 1.6732632423543772 * 1e-10]
    got = [function(tensor([-1e-10] * 64))[0].item() for function in (F.elu, F.celu, F.selu)]
    return right, got, all(abs(a - b) < 1e-6 * abs(a) for a, b in zip(right, got))


def logaddexp_loses_small_terms():
    """logaddexp(0, -19.35) is log1p(exp(-19.35)) = 3.948e-9, and log(1 + that) 0."""
    right, got = math.log1p(math.exp(-19.35)), torch.logaddexp(tensor([0.0] * 64), tensor([-19.35] * 64))[0].item()
    return right, got, abs(got - right) < 1e-5 * right


def gradient_of_gelu_reads_a_transposed_gradient_wrongly():
    """gelu's gradient of grad.t() and of the same numbers, contiguous: the greatest difference."""
    x, grad = random(32, 16), random(16, 32).t()
    got = []
    for given in (grad, grad.contiguous()):
        leaf = x.clone().requires_grad_()
        got.append(torch.autograd.grad(F.gelu(leaf), leaf, given)[0])
    error = (got[0] - got[1]).abs().max().item()
    return "within 1e-5", "off by %.2g" % error, error < 1e-5


def sinh_and_cosh_leave_the_range():
    """sinh(89) and cosh(89), 64 of each: e^89/2 = 2.2448e38, a number of float32."""
    right = [2.24480640958717e38] * 2
    got = [function(torch.full((64,), 89.0)).to(torch.float64)[0].item() for function in (torch.sinh, torch.cosh)]
    return right, got, all(abs(g - r) < 1e-5 * r for g, r in zip(got, right))


def abs_and_neg_change_nans():
    """abs and neg of a 16-bit NaN: IEEE 754 (5.5.1) changes the sign bit alone. float16 0x7c01, bfloat16 0x7f81."""
    right, got = ["0x7c01", "0xfc01", "0x7f81", "0xff81"], []
    for bits, dtype in ((0x7C01, torch.float16), (0x7F81, torch.bfloat16)):
        x = torch.tensor([bits] * 64, dtype=torch.int16).view(dtype).to(DEVICE)
        got += [hex(function(x).cpu().view(torch.int16)[0].item() & 0xFFFF) for function in (torch.abs, torch.neg)]
    return right, got, got == right


def ldexp_leaves_the_range():
    """ldexp(0, 3e38) and ldexp(-7.648e-17, 147.5) in float32: 2^other alone is infinite."""
    right = [0.0, -7.648e-17 * 2.0**147.5]
    got = torch.ldexp(tensor([0.0, -7.648e-17]), tensor([3e38, 147.5])).tolist()
    return right, got, got[0] == 0 and abs(got[1] - right[1]) < 1e-5 * abs(right[1])


def binary_cross_entropy_of_logits_cancels():
    """binary_cross_entropy_with_logits(20, 1) = log(1 + exp(-20)) = 2.06e-9."""
    right = math.log1p(math.exp(-20))
    got = F.binary_cross_entropy_with_logits(tensor([20.0]), tensor([1.0])).item()
    return right, got, abs(got - right) < 1e-5 * right


def gradient_of_binary_cross_entropy_has_a_single_constant():
    """The gradient at input 1, target 0 in float64 is 1/1e-12; 1e-12 rounded to float32 gives 1.000000004e12."""
    x = tensor([1.0], torch.float64).requires_grad_()
    got = torch.autograd.grad(F.binary_cross_entropy(x, tensor([0.0], torch.float64)), x)[0].item()
    return 1e12, got, abs(got - 1e12) < 1


def gradient_of_smooth_l1_of_beta_0():
    """smooth_l1_loss of beta 0 is l1_loss, whose gradient where input and target are equal is 0."""
    x = tensor([1.0]).requires_grad_()
    got = torch.autograd.grad(F.smooth_l1_loss(x, tensor([1.0]), beta=0.0), x)[0].item()
    return 0, got, got == 0


def fake_quantize_of_great_numbers():
    """fake_quantize_per_tensor_affine of 1e10 and inf at scale 1/2: they saturate at 127/2."""
    got = torch.fake_quantize_per_tensor_affine(tensor([1e10, math.inf] * 32), 0.5, 0, -128, 127)[:2].tolist()
    return [63.5, 63.5], got, got == [63.5, 63.5]


def gradient_of_softmax_of_strided_rows():
    """_softmax_backward_data of a gradient and an output in columns, beside the same numbers in rows."""
    grad, y = random(33, 9).t(), torch.softmax(random(9, 33), 1).t().contiguous().t()
    got = torch.ops.aten._softmax_backward_data(grad, y, 1, torch.float32)
    error = (got - torch.ops.aten._softmax_backward_data(grad.contiguous(), y.contiguous(), 1, torch.float32)).abs().max().item()
    return "within 1e-5", "off by %.2g" % error, error < 1e-5


def erfinv_near_1():
    """erfinv of the last float64 below 1: two steps of Newton's method by erf, which has no digit left there."""
    got = torch.erfinv(tensor([1 - 2.0**-53] * 64, torch.float64))[0].item()
    return 5.863584748755168, got, abs(got - 5.863584748755168) < 1e-12


def digamma_next_to_a_pole():
    """digamma(−1 + 2^-53) in float64 is −2^53 − 0.58: tan of a multiple of pi that is rounded."""
    got = torch.digamma(tensor([-1 + 2.0**-53] * 64, torch.float64))[0].item()
    return -(2.0**53), got, abs(got / 2.0**53 + 1) < 1e-6


def gelu_leaves_the_range():
    """gelu(inf) is inf, and gelu(1.9e38) is 1.9e38."""
    got = F.gelu(tensor([math.inf, 2.0**127] * 16))[:2].tolist()
    return [math.inf, 2.0**127], got, got == [math.inf, 2.0**127]


def logsumexp_has_lost_what_its_gradient_needs():
    """The gradients of logsumexp of two equal numbers are one half each, of whatever size they are."""
    x = tensor([1e30, 1e30]).requires_grad_()
    torch.logsumexp(x, 0).backward()
    return [0.5, 0.5], x.grad.tolist(), x.grad.tolist() == [0.5, 0.5]


def dequantize_of_int32_wraps():
    """(-2^31 - 1)·0.11 is -2.36e8: the zero point is subtracted in int32."""
    got = torch._make_per_tensor_quantized_tensor(tensor([-2**31], torch.int32), 0.11, 1).dequantize().item()
    return -236223201.7, got, got < 0


def fake_quantize_of_no_channels():
    """fake_quantize_per_channel_affine of a tensor of no channels is that tensor."""
    got = raised(lambda: F.relu(torch.fake_quantize_per_channel_affine(
        tensor([]).reshape(2, 0), tensor([]), tensor([], torch.int32), 1, -128, 127)).shape)
    return torch.Size([2, 0]), got, got == torch.Size([2, 0])


def has_avx512():
    """Whether oneDNN computes bfloat16 here."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        return "avx512vl" in file.read()
    return False


FINDINGS = [ldexp_leaves_the_range, activations_leave_the_range, sgn_of_large_and_small_complex_numbers, slogdet_of_nan_has_sign_zero, norms_leave_the_range, norms_of_high_order,
            overlapping_windows_are_written, matrix_exp_of_degree_8, normalizations_leave_the_range,
            instance_norm_of_an_empty_batch, gradients_near_the_greatest_number, gradients_of_activations_leave_the_range,
            gradient_of_silu_and_mish_far_below_zero, gradient_of_celu_has_a_single_alpha,
            gradient_of_hardsigmoid_has_a_single_sixth]
if hasattr(F, "rms_norm"):  # from 2.4 on
    FINDINGS += [rms_norm_has_the_eps_of_float32]
    FINDINGS += [erf_of_small_bfloat16, fake_quantize_of_no_channels, networks.attention_of_no_heads,
                 networks.attention_of_fewer_values_than_keys] * (DEVICE == "cpu")
    FINDINGS += [gelu_leaves_the_range] * (DEVICE == "cpu" and "usage: AVX512" in torch.__config__.show())
else:
    FINDINGS += [erfinv_near_1, log1p_of_large_numbers, elu_cancels, logaddexp_loses_small_terms, abs_and_neg_change_nans,
                 gradient_of_gelu_reads_a_transposed_gradient_wrongly, binary_cross_entropy_of_logits_cancels,
                 gradient_of_smooth_l1_of_beta_0, gradient_of_softmax_of_strided_rows, fake_quantize_of_great_numbers] * (DEVICE == "cpu")
    FINDINGS += [networks.transposed_convolution_of_bfloat16] * (DEVICE == "cpu" and has_avx512())
FINDINGS += [logsumexp_has_lost_what_its_gradient_needs, networks.average_of_a_padded_volume]
FINDINGS += {"cpu": [sgn_of_an_infinity_depends_on_its_place, digamma_next_to_a_pole, sinh_and_cosh_leave_the_range, dequantize_of_int32_wraps, group_norm_of_channels_last_cancels,
                     fmod_of_a_great_quotient, floor_divide_of_float16, gradient_of_binary_cross_entropy_has_a_single_constant] + [gelu_of_small_bfloat16] * ("usage: AVX512" in torch.__config__.show()),
             "cuda": [networks.gradient_of_the_average_of_channels_last, networks.gradient_of_a_depthwise_volume, networks.convolution_rounds_before_the_bias, networks.gradient_of_an_embedding_without_width, gradients_of_extrema_count_ties_in_half, abs_and_neg_change_nans, hardsigmoid_multiplies_doubles_by_a_single_sixth, logdet_of_nan_is_a_number, unscaling_takes_large_doubles_for_infinite]}.get(DEVICE.partition(":")[0], [])

if __name__ == "__main__":
    report("torch on " + DEVICE, torch.__version__.partition("+")[0],
           ("2.11.0", "1.13.0a0") if DEVICE == "cpu" else (), FINDINGS)
