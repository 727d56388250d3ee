#!/usr/bin/env python3
"""Writes tests/unit/isa/format_vectors.h: elements of every buffer format and the registers that go with them.

Exact fractions, nearest representable number, ties to even; small floats by trying every number there is. Definitions
of the formats: AMD ISA manuals; unified numbers: LLVM 19, AMDGPUAsmUtils.cpp.

    python3 tests/tools/formats/generate.py > tests/unit/isa/format_vectors.h
"""
import struct
from fractions import Fraction as F
NAMES=['unorm','snorm','uscaled','sscaled','uint','sint','','float']
D={1:('8',[8]),2:('16',[16]),3:('8_8',[8,8]),4:('32',[32]),5:('16_16',[16,16]),6:('10_11_11',[11,11,10]),7:('11_11_10',[10,11,11]),8:('10_10_10_2',[2,10,10,10]),9:('2_10_10_10',[10,10,10,2]),10:('8_8_8_8',[8]*4),11:('32_32',[32]*2),12:('16_16_16_16',[16]*4),13:('32_32_32',[32]*3),14:('32_32_32_32',[32]*4)}
# numbers as LLVM 19 lists them (written out, not computed)
U10={(1,0):1,(1,1):2,(1,2):3,(1,3):4,(1,4):5,(1,5):6,(2,0):7,(2,1):8,(2,2):9,(2,3):10,(2,4):11,(2,5):12,(2,7):13,(3,0):14,(3,1):15,(3,2):16,(3,3):17,(3,4):18,(3,5):19,(4,4):20,(4,5):21,(4,7):22,(5,0):23,(5,1):24,(5,2):25,(5,3):26,(5,4):27,(5,5):28,(5,7):29,(6,0):30,(6,1):31,(6,2):32,(6,3):33,(6,4):34,(6,5):35,(6,7):36,(7,0):37,(7,1):38,(7,2):39,(7,3):40,(7,4):41,(7,5):42,(7,7):43,(8,0):44,(8,1):45,(8,2):46,(8,3):47,(8,4):48,(8,5):49,(9,0):50,(9,1):51,(9,2):52,(9,3):53,(9,4):54,(9,5):55,(10,0):56,(10,1):57,(10,2):58,(10,3):59,(10,4):60,(10,5):61,(11,4):62,(11,5):63,(11,7):64,(12,0):65,(12,1):66,(12,2):67,(12,3):68,(12,4):69,(12,5):70,(12,7):71,(13,4):72,(13,5):73,(13,7):74,(14,4):75,(14,5):76,(14,7):77}
U11={(1,0):1,(1,1):2,(1,2):3,(1,3):4,(1,4):5,(1,5):6,(2,0):7,(2,1):8,(2,2):9,(2,3):10,(2,4):11,(2,5):12,(2,7):13,(3,0):14,(3,1):15,(3,2):16,(3,3):17,(3,4):18,(3,5):19,(4,4):20,(4,5):21,(4,7):22,(5,0):23,(5,1):24,(5,2):25,(5,3):26,(5,4):27,(5,5):28,(5,7):29,(6,7):30,(7,7):31,(8,0):32,(8,1):33,(8,4):34,(8,5):35,(9,0):36,(9,1):37,(9,2):38,(9,3):39,(9,4):40,(9,5):41,(10,0):42,(10,1):43,(10,2):44,(10,3):45,(10,4):46,(10,5):47,(11,4):48,(11,5):49,(11,7):50,(12,0):51,(12,1):52,(12,2):53,(12,3):54,(12,4):55,(12,5):56,(12,7):57,(13,4):58,(13,5):59,(13,7):60,(14,4):61,(14,5):62,(14,7):63}
def rne(x): # Fraction -> int nearest even
    f=x.numerator//x.denominator; r=x-f
    if r>F(1,2) or (r==F(1,2) and f&1): f+=1
    return f
def f32bits(x, neg=False):
    if x==0: return 0x80000000 if neg else 0
    s=0
    if x<0: s=0x80000000; x=-x
    e=0
    while x>=F(2)**(e+1): e+=1
    while x<F(2)**e: e-=1
    assert e>=-126
    m=rne(x/F(2)**(e-23))
    if m==1<<24: m>>=1; e+=1
    return s|(e+127)<<23|(m-(1<<23))
def small(v,m,signbits):
    e=(v>>m)&31; f=v&((1<<m)-1)
    if e==31: return ('inf' if f==0 else 'nan')
    if e==0: return F(f,1<<m)*F(1,1<<14)
    return (1+F(f,1<<m))*F(2)**(e-15)
def sx(v,b): return v-(1<<b) if v>>(b-1) else v
def load(v,b,n):
    if n==0: return f32bits(F(v,(1<<b)-1))
    if n==1: return f32bits(max(F(-1),F(sx(v,b),(1<<(b-1))-1)))
    if n==2: return f32bits(F(v))
    if n==3: return f32bits(F(sx(v,b)))
    if n==4: return v
    if n==5: return sx(v,b)&0xffffffff
    if b==32: return v
    m={16:10,11:6,10:5}[b]
    s=0
    if b==16: s=(v>>15)<<31; v&=0x7fff
    x=small(v,m,0)
    if x=='inf': return s|0x7f800000
    if x=='nan': return s|0x7f800000|(v&((1<<m)-1))<<(23-m)
    return s|f32bits(x)
def pack(vals,bits):
    w=0;at=0
    for v,b in zip(vals,bits): w|=(v&((1<<b)-1))<<at; at+=b
    return w,at
RAW={8:[0x80,0x01,0x7f,0xff, 0x81,0x00,0xfe,0x55],16:[0x8000,0x0001,0x7fff,0xffff,0x8001,0x1234,0xfffe,0x4000],32:[0x80000000,0x3f800000,0xffffffff,0x7f800001,0x00000001,0x7fffffff,0x12345678,0xc0490fdb],
 10:[0x200,0x3ff,0x155,0x001,0x1ff,0x201,0x2aa,0x3fe],11:[0x400,0x7ff,0x001,0x3ff,0x401,0x2aa,0x555,0x7fe],2:[0,1,2,3,3,2,1,0]}
RAWF={16:[0x3c00,0x8001,0x7bff,0xfc00,0x0000,0x3555,0x03ff,0xc248],11:[0x3c0,0x001,0x7bf,0x7c0,0x03f,0x400,0x3ff,0x7c1],10:[0x1e0,0x001,0x3df,0x3e0,0x01f,0x200,0x1ff,0x3f0]}
rows=[]
for (d,n),u in sorted(U10.items()):
    name,bits=D[d]
    for st in (0,4):
        vals=[]
        for k,b in enumerate(bits):
            src=RAWF.get(b) if n==7 and b in RAWF else RAW[b]
            vals.append(src[(st+k)%8])
        w,at=pack(vals,bits)
        words=[(w>>(32*k))&0xffffffff for k in range(4)]
        exp=[load(v,b,n) for v,b in zip(vals,bits)]+[0]*(4-len(bits))
        rows.append("    {%d, %d, %d, %d, {%s}, {%s}}, /* %s %s */"%(d,n,u,U11.get((d,n),0),', '.join('0x%08x'%x for x in words),', '.join('0x%08x'%x for x in exp),name,NAMES[n]))
# stores
def fv(b): return struct.unpack('<f',struct.pack('<I',b))[0]
def near(bitsv,m,signed):
    x=fv(bitsv); neg=bitsv>>31
    if x!=x: return 'nan'
    mag=abs(x)
    inf=31<<m
    if not signed and neg: return 0
    s=(neg<<15) if signed else 0
    if mag==float('inf'): return s|inf
    cands=[(abs(small(c,m,0)-F(mag)),c&1,c) for c in range(inf)]
    # what would be the next step beyond the largest
    if signed:
        nxt=F(2)**16
        cands.append((abs(nxt-F(mag)),0,inf))
    return s|min(cands)[2]
def store(v,b,n):
    if n<4:
        x=fv(v)
        if x!=x: x=F(0)
        elif x==float('inf'): x=F(10)**30
        elif x==-float('inf'): x=-F(10)**30
        else: x=F(x)
        if n==0: return rne(min(max(x,F(0)),F(1))*((1<<b)-1))
        if n==1: return rne(min(max(x,F(-1)),F(1))*((1<<(b-1))-1))&((1<<b)-1)
        t=int(x) if x>=0 else -int(-x)
        if n==2: return min(max(t,0),(1<<b)-1)
        return min(max(t,-(1<<(b-1))),(1<<(b-1))-1)&((1<<b)-1)
    if n==4: return min(v,(1<<b)-1)
    if n==5: return min(max(sx(v,32),-(1<<(b-1))),(1<<(b-1))-1)&((1<<b)-1)
    if b==32: return v
    if b==16:
        r=near(v,10,True); return 0x7e00 if r=='nan' else r
    m=6 if b==11 else 5
    r=near(v,m,False); return (31<<m|1<<(m-1)) if r=='nan' else r
fb=lambda x: struct.unpack('<I',struct.pack('<f',x))[0]
NORM=[[fb(0.5),fb(-0.25),fb(2.0),0x7fc00000],[fb(1/3),fb(-1.5),fb(0.999),fb(0.002)],[0xff800000,fb(0.75),fb(1.0),fb(-0.7)]]
SCAL=[[fb(100.75),fb(-3.5),fb(70000.0),0x7fc00000],[fb(-1e9),fb(1.99),fb(511.9),fb(-0.9)]]
UINTS=[[5,0xffffffff,300,0x10000],[0x3ff,3,1023+1,2]]
SINTS=[[0xffffffff,0x80000000,300,0x7fffffff],[0xfffffed4,0x7f,0xffffff80,1]]
FLT=[[fb(1/3),fb(-2.5),fb(65519.0),0x7fc00000],[fb(70000.0),0x7f800000,fb(2.0**-15*1.3),fb(1.00048828125)],[fb(2.0**-20*1.5),fb(64500.0),fb(-0.0),fb(3.1415927)]]
srows=[]
for (d,n),u in sorted(U10.items()):
    name,bits=D[d]
    sets={0:NORM,1:NORM,2:SCAL,3:SCAL,4:UINTS,5:SINTS,7:FLT}[n]
    for vals in sets:
        w,at=pack([store(v,b,n) for v,b in zip(vals,bits)],bits)
        words=[(w>>(32*k))&0xffffffff for k in range(4)]
        srows.append("    {%d, %d, %d, %d, {%s}, {%s}}, /* %s %s */"%(d,n,u,U11.get((d,n),0),', '.join('0x%08x'%x for x in words),', '.join('0x%08x'%x for x in vals),name,NAMES[n]))
print("""/* Buffer formats: an element in memory and the registers that go with it, for every format. Worked out with exact
 * fractions (nearest representable number, ties to even) from the formats' definitions, not by gcnsim. Unified numbers
 * are LLVM 19's lists (AMDGPUAsmUtils.cpp, UfmtSymbolicGFX10 and GFX11); 0: gfx11 has no such format. */
#ifndef GCNSIM_TESTS_ISA_FORMAT_VECTORS_H
#define GCNSIM_TESTS_ISA_FORMAT_VECTORS_H

#include <stdint.h>

struct format_vector {
    uint8_t dfmt, nfmt, gfx10, gfx11;
    uint32_t mem[4], reg[4];
};

/* clang-format off */
static const struct format_vector load_vectors[] = {""")
print('\n'.join(rows)); print("};\n\nstatic const struct format_vector store_vectors[] = {"); print('\n'.join(srows)); print("};\n/* clang-format on */\n\n#endif")
