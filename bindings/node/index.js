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

// The agent that the program has selected on this thread.
let selected = 0;

/** Selects an agent for the functions of the package, on this thread. */
function agentSelect(agentHandle) {
  native.agentSelect(agentHandle);
  selected = agentHandle;
}

/** A function that works for an agent, and leaves the program's selection as it is. Each call begins before it returns. */
const working = (agentHandle, call) => (...given) => {
  native.agentSelect(agentHandle);
  try {
    return call(...given);
  } finally {
    try {
      native.agentSelect(selected);
    } catch {
      agentSelect(0); // the selected agent has been closed
    }
  }
};

/** The package for one agent. */
function agent(agentHandle) {
  const calls = Object.entries(functions).map(([name, call]) => [name, working(agentHandle, call)]);
  return { ...module.exports, ...Object.fromEntries(calls), agentSelect };
}

module.exports = { ...functions, ...names, agentSelect, agent, MsdkError };
