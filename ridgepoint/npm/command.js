#!/usr/bin/env node
// The command line: input and output for the program, which knows the options.
import { readFileSync, writeSync } from "node:fs";
import process from "node:process";
import { CommandLine } from "./program.js";

const HINT = "\nTry `ridgepoint --help`.";

/** Writes all of a text to an output; ends the process if nobody reads. */
function write(output, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(output, bytes, done);
    } catch (why) {
      if (why.code === "EPIPE") process.exit(0);
      // The reader is slower: wait a millisecond.
      if (why.code !== "EAGAIN") throw why;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function fail(why) {
  write(2, `ridgepoint: ${why}\n`);
  process.exit(2);
}

function parsed() {
  try {
    return new CommandLine(process.argv.slice(2));
  } catch (why) {
    return fail(why + HINT);
  }
}

/** Lines of the pipe, as they arrive. */
async function* lines() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const ended = (rest + chunk).split("\n");
    rest = ended.pop();
    yield* ended;
  }
  if (rest) yield rest;
}

async function whole() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

function file(name) {
  try {
    return readFileSync(name, "utf8");
  } catch (why) {
    return fail(why.message);
  }
}

const command = parsed();
const given = command.given();

function answer(text) {
  try {
    write(1, command.answer(text));
  } catch (why) {
    if (typeof why !== "string") throw why;
    write(2, `ridgepoint: ${why}\n`);
  }
}

if (command.printed() !== undefined) {
  write(1, `${command.printed()}\n`);
} else if (command.reads()) {
  answer(given.length ? file(given[0]) : await whole());
} else if (given.length) {
  given.forEach(answer);
} else if (process.stdin.isTTY) {
  fail(`no link, and none from a pipe${HINT}`);
} else {
  for await (const link of lines()) answer(link);
}
process.exitCode = command.code();
