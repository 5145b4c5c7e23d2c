'use strict';
// The functions of libmsdk.so, the constants of msdk.h, and the class of errors. functions.c has the functions.

const native = require('./msdk.node');
const names = require('./names.js');

const nameOf = (code) => Object.keys(names.ErrorCode).find((name) => names.ErrorCode[name] === code);

/** An error of the library: its number and its name, the number's fixed text, and the exact cause. */
class MsdkError extends Error {
  constructor(code, text, details) {
    const { cause } = JSON.parse(details ?? '{}');
    super(`${text}${cause && cause !== text ? `: ${cause}` : ''} (${code})`);
    Object.assign(this, { code, codeName: nameOf(code) ?? 'UNKNOWN_ERROR', text, cause: cause ?? '' });
  }
}
Object.defineProperty(MsdkError.prototype, 'name', { value: 'MsdkError' });

native.useErrorClass(MsdkError);
const { useErrorClass, ...functions } = native;
module.exports = { ...functions, ...names, MsdkError };
