// Decimal text to double and float to decimal text, in integer and IEEE double arithmetic only, so
// that every compiler and WASM agree bit for bit.
//
// Reading: m · 10^e is exact in one operation when m < 2^53 and |e| <= 22 (both factors are exact
// doubles). All other numbers go through big integers: the quotient's leading 64 bits and whether
// anything is left decide the rounding.

#include "io/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BIG_WORDS 48 // 1536 bits: 10^365 needs 1213, and the dividend 64 + 64 more

typedef struct big {
    uint32_t words[BIG_WORDS]; // least significant first
    int count;                 // words in use, the last one not zero
} big;

static big big_from(uint64_t value)
{
    big b = {{(uint32_t)value, (uint32_t)(value >> 32)}, 2};
    while (b.count > 0 && b.words[b.count - 1] == 0)
        --b.count;
    return b;
}

static void big_multiply(big *b, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->count; ++i) {
        carry += (uint64_t)b->words[i] * factor;
        b->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->words[b->count++] = (uint32_t)carry;
}

static void big_scale_by_ten(big *b, int exponent)
{
    for (; exponent >= 9; exponent -= 9)
        big_multiply(b, 1000000000u);
    for (; exponent > 0; --exponent)
        big_multiply(b, 10u);
}

static int big_bits(const big *b)
{
    if (b->count == 0)
        return 0;
    int bits = 32 * (b->count - 1);
    for (uint32_t top = b->words[b->count - 1]; top; top >>= 1)
        ++bits;
    return bits;
}

static void big_shift_left(big *b, int bits)
{
    int words = bits / 32, rest = bits % 32;
    if (rest)
        big_multiply(b, 1u << rest);
    if (words == 0 || b->count == 0)
        return;
    memmove(b->words + words, b->words, (size_t)b->count * sizeof b->words[0]);
    memset(b->words, 0, (size_t)words * sizeof b->words[0]);
    b->count += words;
}

static bool big_less(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (int i = a->count - 1; i >= 0; --i) {
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i];
    }
    return false;
}

static void big_subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        uint64_t take = borrow + (i < b->count ? b->words[i] : 0);
        borrow = a->words[i] < take;
        a->words[i] = (uint32_t)(a->words[i] - take);
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        --a->count;
}

// numerator / denominator as 64 leading bits times 2^*exponent; *rest tells whether it is more than
// that. Schoolbook division, one bit at a time.
static uint64_t divide(big numerator, big denominator, int *exponent, bool *rest)
{
    // Align so that the quotient lies in [1, 4) before the first bit is taken.
    int shift = big_bits(&denominator) - big_bits(&numerator);
    if (shift > 0)
        big_shift_left(&numerator, shift);
    else
        big_shift_left(&denominator, -shift);
    if (big_less(&numerator, &denominator)) {
        big_shift_left(&numerator, 1);
        ++shift;
    }
    uint64_t quotient = 0;
    for (int i = 0; i < 64; ++i) {
        quotient <<= 1;
        if (!big_less(&numerator, &denominator)) {
            big_subtract(&numerator, &denominator);
            quotient |= 1;
        }
        big_shift_left(&numerator, 1);
    }
    *exponent = -shift - 63;
    *rest = numerator.count > 0;
    return quotient;
}

// Rounds bits · 2^exponent to nearest, ties to even; the top bit of `bits` is set.
static double round_to_double(uint64_t bits, int exponent, bool rest)
{
    int drop = 11; // 64 bits to 53
    int lowest = -1074 - exponent;
    if (lowest > drop)
        drop = lowest; // subnormal: fewer bits remain
    if (drop > 64)
        return 0.0;
    uint64_t kept = drop == 64 ? 0 : bits >> drop;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t below = drop == 64 ? bits : bits & ((half << 1) - 1);
    if (below > half || (below == half && (rest || (kept & 1))))
        ++kept;
    return ldexp((double)kept, exponent + drop);
}

static double read_slowly(uint64_t digits, int exponent, bool more)
{
    if (digits == 0 || exponent < -345 - 19)
        return 0.0;
    if (exponent > 310)
        return (double)INFINITY;
    big numerator = big_from(digits), denominator = big_from(1);
    big_scale_by_ten(exponent > 0 ? &numerator : &denominator, exponent > 0 ? exponent : -exponent);
    int binary_exponent;
    bool rest;
    uint64_t bits = divide(numerator, denominator, &binary_exponent, &rest);
    return round_to_double(bits, binary_exponent, rest || more);
}

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double pli_decimal_read(const char *text, size_t size)
{
    const char *end = text + size;
    bool negative = text < end && *text == '-';
    text += negative;

    uint64_t digits = 0;
    int digit_count = 0, exponent = 0;
    bool fraction = false, more = false;
    for (; text < end && (*text == '.' || (*text >= '0' && *text <= '9')); ++text) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        if (digit_count < 19) {
            digits = digits * 10 + (uint64_t)(*text - '0');
            digit_count += digits != 0;
            exponent -= fraction;
        } else {
            more |= *text != '0';
            exponent += !fraction;
        }
    }
    if (text < end) {
        ++text; // e or E
        bool minus = text < end && *text == '-';
        text += text < end && (*text == '-' || *text == '+');
        int written = 0;
        for (; text < end; ++text)
            written = written < 100000000 ? written * 10 + (*text - '0') : written;
        exponent += minus ? -written : written;
    }

    double value;
    if (digits < ((uint64_t)1 << 53) && exponent >= -22 && exponent <= 22 && !more)
        value = exponent < 0 ? (double)digits / powers_of_ten[-exponent]
                             : (double)digits * powers_of_ten[exponent];
    else
        value = read_slowly(digits, exponent, more);
    return negative ? -value : value;
}

size_t pli_decimal_write_int(char *text, long long value)
{
    char reversed[DECIMAL_SIZE];
    size_t count = 0, size = 0;
    unsigned long long rest =
        value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
    do {
        reversed[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        text[size++] = '-';
    while (count > 0)
        text[size++] = reversed[--count];
    text[size] = 0;
    return size;
}

// value · 10^exponent, in one or more roundings; |exponent| <= 60.
static double scale(double value, int exponent)
{
    for (; exponent > 22; exponent -= 22)
        value *= 1e22;
    for (; exponent < -22; exponent += 22)
        value /= 1e22;
    return exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
}

// Lays out digits · 10^exponent as JSON, plainly where that is short and with an exponent elsewhere.
static size_t lay_out(char *text, bool negative, uint32_t digits, int exponent)
{
    while (digits % 10 == 0) {
        digits /= 10;
        ++exponent;
    }
    char plain[DECIMAL_SIZE];
    int count = (int)pli_decimal_write_int(plain, digits);
    int point = count + exponent; // digits before the decimal point
    size_t size = 0;
    if (negative)
        text[size++] = '-';
    bool scientific = point > 9 || point < -3;
    int before = scientific ? 1 : point;
    if (before <= 0)
        text[size++] = '0';
    for (int i = 0; i < before; ++i)
        text[size++] = i < count ? plain[i] : '0';
    if (count > before) {
        text[size++] = '.';
        for (int i = before; i < count; ++i)
            text[size++] = i < 0 ? '0' : plain[i];
    }
    if (scientific) {
        text[size++] = 'e';
        size += pli_decimal_write_int(text + size, point - 1);
    }
    text[size] = 0;
    return size;
}

size_t pli_decimal_write_float(char *text, float value)
{
    if (value == 0.0f || !isfinite(value)) {
        memcpy(text, "0", 2);
        return 1;
    }
    double magnitude = fabs((double)value);
    int leading = 0; // magnitude = d.ddd · 10^leading
    while (scale(magnitude, -leading) >= 10.0)
        ++leading;
    while (scale(magnitude, -leading) < 1.0)
        --leading;
    // Nine digits always tell floats apart; most need fewer.
    size_t size = 0;
    for (int precision = 1; precision <= 9; ++precision) {
        int exponent = leading - precision + 1;
        uint32_t digits = (uint32_t)(scale(magnitude, -exponent) + 0.5);
        size = lay_out(text, value < 0.0f, digits, exponent);
        if ((float)pli_decimal_read(text, size) == value)
            break;
    }
    return size;
}
