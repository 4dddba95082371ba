/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/angles.h"

static const double singles[] = {
    0x1.921fb6p1,   0x1.2d97c8p2,   0x1.2d97c8p3,   0x1.2d97c8p4,   0x1.2d97c8p5,   0x1.2d97c8p6,
    0x1.f9cbe2p7,   0x1.f9cbe2p8,   0x1.f9cbe2p9,   0x1.f9cbe2p10,  0x1.17cc5p11,   0x1.17cc5p12,
    0x1.17cc5p13,   0x1.17cc5p14,   0x1.9a48dep15,  0x1.9a48dep16,  0x1.9a48dep17,  0x1.04ccbcp18,
    0x1.04ccbcp19,  0x1.04ccbcp20,  0x1.4ac55cp21,  0x1.4ac55cp22,  0x1.4ac55cp23,  0x1.e768f6p24,
    0x1.4665d2p25,  0x1.4665d2p26,  0x1.4665d2p27,  0x1.08ecc2p28,  0x1.27a94ap29,  0x1.27a94ap30,
    0x1.1ffa28p31,  0x1.b7a65ep32,  0x1.ffa4e8p33,  0x1.47d0fep34,  0x1.47d0fep35,  0x1.47d0fep36,
    0x1.47d0fep37,  0x1.47d0fep38,  0x1.47d0fep39,  0x1.628d4cp40,  0x1.628d4cp41,  0x1.628d4cp42,
    0x1.628d4cp43,  0x1.628d4cp44,  0x1.f0eaeep45,  0x1.f0eaeep46,  0x1.f0eaeep47,  0x1.705312p48,
    0x1.705312p49,  0x1.b86d92p50,  0x1.dc7ad2p51,  0x1.ee8172p52,  0x1.f784c2p53,  0x1.fc066ap54,
    0x1.fe473ep55,  0x1.ff67a8p56,  0x1.0f79ap57,   0x1.0f79ap58,   0x1.0f79ap59,   0x1.0f79ap60,
    0x1.0f79ap61,   0x1.0f79ap62,   0x1.0f79ap63,   0x1.c82258p64,  0x1.c82258p65,  0x1.5619c2p66,
    0x1.f8aad6p67,  0x1.a7624cp68,  0x1.a7624cp69,  0x1.d83694p70,  0x1.d83694p71,  0x1.cc0182p72,
    0x1.5c0e66p73,  0x1.5c0e66p74,  0x1.5c0e66p75,  0x1.13093p76,   0x1.13093p77,   0x1.13093p78,
    0x1.13093p79,   0x1.13093p80,   0x1.13093p81,   0x1.13093p82,   0x1.8dc776p83,  0x1.8dc776p84,
    0x1.32ede2p85,  0x1.32ede2p86,  0x1.32ede2p87,  0x1.32ede2p88,  0x1.abb4bp89,   0x1.abb4bp90,
    0x1.40c784p91,  0x1.0b50eep92,  0x1.0b50eep93,  0x1.0b50eep94,  0x1.f37c8ap95,  0x1.f37c8ap96,
    0x1.f37c8ap97,  0x1.f37c8ap98,  0x1.f37c8ap99,  0x1.f37c8ap100, 0x1.7f4134p101, 0x1.7f4134p102,
    0x1.7f4134p103, 0x1.cc383p104,  0x1.a5bcb2p105, 0x1.a5bcb2p106, 0x1.df43b8p107, 0x1.2928e2p108,
    0x1.a0f9dp109,  0x1.484dd6p110, 0x1.b08c4ap111, 0x1.b08c4ap112, 0x1.b08c4ap113, 0x1.517106p114,
    0x1.80fea8p115, 0x1.80fea8p116, 0x1.20befep117, 0x1.f99756p118, 0x1.2ceb8p119,  0x1.2ceb8p120,
    0x1.d8660ap121, 0x1.fe037ap122, 0x1.fe037ap123, 0x1.fe037ap124, 0x1.fe037ap125, 0x1.7b9b4p126,
    0x1.7b9b4p127,
};

static const double doubles[] = {
    0x1.2d97c7f3321d2p2,    0x1.bf9b3c6059d24p17,  0x1.5c9508c58aafap32,  0x1.7512069b7430dp47,
    0x1.23dba9de98322p62,   0x1.99caa5236feeap77,  0x1.66bd5424e5655p92,  0x1.d99e1681eadap107,
    0x1.1e75eda33c892p122,  0x1.504cac51f1eafp137, 0x1.b930d680374c2p152, 0x1.cca7515e2585cp167,
    0x1.0539b48d14c55p182,  0x1.e7e44a78ac18cp197, 0x1.1e58e52ea1a07p212, 0x1.33322fd48b212p227,
    0x1.a2bede54c5185p242,  0x1.b2196364d750bp257, 0x1.16e59932ab3bcp272, 0x1.3e51cbf3b4ecap287,
    0x1.0efac32bff376p302,  0x1.44599ae031379p317, 0x1.9a28b03aede1cp332, 0x1.2ddd2435024e2p347,
    0x1.4582ff44b4254p362,  0x1.f899ae22a7522p377, 0x1.cb5c087ce6ab4p392, 0x1.09dbd23407407p407,
    0x1.6dd6b29edc33ap422,  0x1.4d58ea64be345p437, 0x1.1bc285fdf5532p452, 0x1.3acdbc896ae06p467,
    0x1.3f1337d36193cp482,  0x1.7833fa59d0dfdp497, 0x1.776ae889d49fcp512, 0x1.2aa88328eba84p527,
    0x1.d451e2f942a09p542,  0x1.8b28676cdcc5bp557, 0x1.b46267827b27ep572, 0x1.d68112d58d561p587,
    0x1.d893a099137d3p602,  0x1.83009e2e9e2ebp617, 0x1.5e13dc1c15d0ep632, 0x1.cb44e86bc192bp647,
    0x1.41c5fceb2921dp662,  0x1.1e47413bee7c2p677, 0x1.dfa8d18f2b3eep692, 0x1.01b5d89b91aeap707,
    0x1.7297569b20594p722,  0x1.e038ad65a52ccp737, 0x1.1b21e01142fb4p752, 0x1.4a4629b09d4fep767,
    0x1.6de1f1aefcdbfp782,  0x1.6e8d778c94d66p797, 0x1.ffc23bc2cd2ffp812, 0x1.203863b3edc9p827,
    0x1.8bb5847d49973p842,  0x1.6ac5b262ca1ffp857, 0x1.a5de46db774e4p872, 0x1.db67eff294283p887,
    0x1.f8bf8d599a78bp902,  0x1.212e7467facccp917, 0x1.4fc4137057ac6p932, 0x1.71ec95661b8c3p947,
    0x1.e109a7163f279p962,  0x1.3b9111ac3da3fp977, 0x1.e009c53148be1p992, 0x1.ae7abc9cd3d0ep1007,
    0x1.61a3db8c8d129p1022, 0x1.6ac5b262ca1ffp849,
};

enum { SINGLES = sizeof singles / sizeof *singles, DOUBLES = sizeof doubles / sizeof *doubles };

int angle_count(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT64 ? SINGLES + DOUBLES : dtype == DTYPE_FLOAT32 ? SINGLES : 0;
}

double angle_at(enum dtype dtype, int index)
{
    return dtype == DTYPE_FLOAT64 && index >= SINGLES ? doubles[index - SINGLES] : singles[index];
}
