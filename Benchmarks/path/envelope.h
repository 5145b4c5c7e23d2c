// The floor of envelopes: the shortest code that packs and unpacks them on libsodium. It keeps the X25519 form of each key
// and the key of each pair, and writes base64 by tables.
#pragma once
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECIPIENTS 3
#define BIG (1u << 20)
#define NONCE crypto_aead_chacha20poly1305_ietf_NPUBBYTES
#define TAG crypto_aead_chacha20poly1305_ietf_ABYTES

struct key {
  uint8_t pk[32], sk[64], xpk[32], xsk[32], shared[32];
  char b58[48];
};
// The sender, and the recipients. Their `shared` is the key of the pair with the sender.
static struct key me, them[MOST_RECIPIENTS];

static const char b64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static uint16_t enc12[4096];
static uint32_t dec6[4][256];
static void b64_init(void) {
  for (int i = 0; i < 4096; i++) enc12[i] = (uint16_t)(b64_digits[i >> 6] | b64_digits[i & 63] << 8);
  memset(dec6, 0xff, sizeof dec6);
  for (uint32_t i = 0; i < 64; i++)
    for (int j = 0; j < 4; j++) dec6[j][(uint8_t)b64_digits[i]] = i << (18 - 6 * j);
}
static char *fast_enc(char *p, const uint8_t *b, size_t n) {
  for (; n >= 3; n -= 3, b += 3, p += 4) {
    uint32_t v = (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
    memcpy(p, &enc12[v >> 12], 2);
    memcpy(p + 2, &enc12[v & 4095], 2);
  }
  if (n) {
    uint32_t v = (uint32_t)b[0] << 16 | (n == 2 ? (uint32_t)b[1] << 8 : 0);
    memcpy(p, &enc12[v >> 12], 2), p += 2;
    if (n == 2) *p++ = b64_digits[v >> 6 & 63];
  }
  return p;
}
static size_t fast_dec(uint8_t *dst, const char *s, size_t n) {  // returns SIZE_MAX on a bad character
  const uint8_t *p = (const uint8_t *)s;
  uint8_t *d = dst;
  uint32_t v, bad = 0;
  for (; n >= 4; n -= 4, p += 4, d += 3) {
    bad |= v = dec6[0][p[0]] | dec6[1][p[1]] | dec6[2][p[2]] | dec6[3][p[3]];
    d[0] = (uint8_t)(v >> 16), d[1] = (uint8_t)(v >> 8), d[2] = (uint8_t)v;
  }
  if (n >= 2) {
    bad |= v = dec6[0][p[0]] | dec6[1][p[1]] | (n == 3 ? dec6[2][p[2]] : 0);
    *d++ = (uint8_t)(v >> 16);
    if (n == 3) *d++ = (uint8_t)(v >> 8);
  }
  return bad >> 24 || n == 1 ? SIZE_MAX : (size_t)(d - dst);
}

static const char b58_digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static void b58_encode(char *dst, const uint8_t *src, size_t len) {
  uint8_t d[64] = {0};
  size_t n = 0, z = 0;
  while (z < len && src[z] == 0) z++;
  for (size_t i = z; i < len; i++) {
    unsigned carry = src[i];
    for (size_t j = 0; j < n || carry; j++) {
      if (j == n) n++;
      carry += 256u * d[j];
      d[j] = (uint8_t)(carry % 58);
      carry /= 58;
    }
  }
  memset(dst, '1', z);
  for (size_t i = 0; i < n; i++) dst[z + i] = b58_digits[d[n - 1 - i]];
  dst[z + n] = 0;
}

// ---- the envelope ---------------------------------------------------------------------------
static char *put(char *p, const char *s) { size_t n = strlen(s); memcpy(p, s, n); return p + n; }

// Packs `size` bytes for the first `recipients` keys, authenticated or not. Returns the length of the envelope.
static size_t envelope_pack(char *dst, const uint8_t *message, size_t size, int auth, int recipients) {
  static _Thread_local char head[4096];
  static _Thread_local uint8_t out[BIG + TAG];
  uint8_t cek[32], nonce[NONCE], sealed[48 + crypto_box_SEALBYTES], ek[32 + crypto_box_SEALBYTES], iv[24];
  randombytes_buf(cek, 32);
  char *p = put(head, "{\"enc\":\"xchacha20poly1305_ietf\",\"typ\":\"JWM/1.0\",\"alg\":\"");
  p = put(p, auth ? "Authcrypt" : "Anoncrypt");
  p = put(p, "\",\"recipients\":[");
  for (int i = 0; i < recipients; i++) {
    const uint8_t *to = them[i].xpk;
    size_t ek_len = auth ? 48 : 32 + crypto_box_SEALBYTES;
    if (auth) {
      randombytes_buf(iv, 24);
      crypto_box_seal(sealed, (const uint8_t *)me.b58, strlen(me.b58), to);
      crypto_box_easy_afternm(ek, cek, 32, iv, them[i].shared);
    } else {
      crypto_box_seal(ek, cek, 32, to);
    }
    p = fast_enc(put(p, i ? ",{\"encrypted_key\":\"" : "{\"encrypted_key\":\""), ek, ek_len);
    p = put(put(p, "\",\"header\":{\"kid\":\""), them[i].b58);
    if (auth) {
      p = fast_enc(put(p, "\",\"sender\":\""), sealed, strlen(me.b58) + crypto_box_SEALBYTES);
      p = fast_enc(put(p, "\",\"iv\":\""), iv, 24);
    }
    p = put(p, "\"}}");
  }
  p = put(p, "]}");
  randombytes_buf(nonce, NONCE);
  char *w = put(dst, "{\"protected\":\""), *prot = w;
  w = fast_enc(w, (uint8_t *)head, (size_t)(p - head));
  crypto_aead_chacha20poly1305_ietf_encrypt(out, NULL, message, size, (uint8_t *)prot, (size_t)(w - prot), NULL, nonce,
                                            cek);
  w = fast_enc(put(w, "\",\"iv\":\""), nonce, NONCE);
  w = fast_enc(put(w, "\",\"ciphertext\":\""), out, size);
  w = fast_enc(put(w, "\",\"tag\":\""), out + size, TAG);
  w = put(w, "\"}");
  return (size_t)(w - dst);
}

// The string after "key":" from p on; no escapes occur in an envelope.
static const char *field(const char *p, const char *end, const char *key, size_t *len) {
  const char *s = memmem(p, (size_t)(end - p), key, strlen(key));
  if (!s) abort();
  s += strlen(key);
  *len = (size_t)((const char *)memchr(s, '"', (size_t)(end - s)) - s);
  return s;
}

// Unpacks an envelope with one recipient's key. Returns the length of the message.
static size_t envelope_unpack(uint8_t *plain, const char *envelope, size_t length, int auth, const struct key *k) {
  static _Thread_local char head[4096];
  static _Thread_local uint8_t out[BIG + TAG];
  const char *end = envelope + length, *s;
  uint8_t ek[80], iv[24], nonce[NONCE], sealed[128], cek[32], sender[64];
  size_t n, ek_len, prot_len;
  const char *prot = field(envelope, end, "\"protected\":\"", &prot_len);
  size_t hn = fast_dec((uint8_t *)head, prot, prot_len);
  const char *kid = memmem(head, hn, k->b58, strlen(k->b58)), *rec = head, *next;
  while ((next = memmem(rec + 1, (size_t)(kid - rec - 1), "{\"encrypted_key\"", 16))) rec = next;
  s = field(rec, head + hn, "encrypted_key\":\"", &n);
  ek_len = fast_dec(ek, s, n);
  const uint8_t *xpk = k->xpk, *xsk = k->xsk;
  if (auth) {
    s = field(rec, head + hn, "\"sender\":\"", &n);
    n = fast_dec(sealed, s, n);
    if (crypto_box_seal_open(sender, sealed, n, xpk, xsk)) abort();
    n -= crypto_box_SEALBYTES;
    s = field(rec, head + hn, "\"iv\":\"", &ek_len);
    fast_dec(iv, s, ek_len);
    if (n != strlen(me.b58) || memcmp(sender, me.b58, n)) abort();
    if (crypto_box_open_easy_afternm(cek, ek, 48, iv, k->shared)) abort();
  } else if (crypto_box_seal_open(cek, ek, ek_len, xpk, xsk)) abort();
  s = field(prot + prot_len, end, "\"iv\":\"", &n);
  fast_dec(nonce, s, n);
  s = field(s, end, "\"ciphertext\":\"", &n);
  size_t len = fast_dec(out, s, n);
  s = field(s + n, end, "\"tag\":\"", &n);
  fast_dec(out + len, s, n);
  if (crypto_aead_chacha20poly1305_ietf_decrypt(plain, NULL, NULL, out, len + TAG, (const uint8_t *)prot, prot_len, nonce, cek)) abort();
  return len;
}

static void keys(struct key *k) {
  crypto_sign_keypair(k->pk, k->sk);
  if (crypto_sign_ed25519_pk_to_curve25519(k->xpk, k->pk)) abort();
  crypto_sign_ed25519_sk_to_curve25519(k->xsk, k->sk);
  b58_encode(k->b58, k->pk, 32);
}

// Makes all keys. Call it first.
static void envelope_begin(void) {
  if (sodium_init() < 0) abort();
  b64_init();
  keys(&me);
  for (int i = 0; i < MOST_RECIPIENTS; i++) {
    keys(&them[i]);
    if (crypto_box_beforenm(them[i].shared, them[i].xpk, me.xsk)) abort();
  }
}
