// Compares the installed package with the native program, whose path is the argument; links are in links.txt.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { evaluate, explain, read, search } from "ridgepoint";

const native = process.argv[2];
const ours = "node_modules/ridgepoint/command.js";
const text = readFileSync("links.txt", "utf8");
const links = text.trimEnd().split("\n");
const paste = "vllm serve org/model -tp 8\n==== Serving Benchmark Result ====\nMean TPOT (ms): 5.05\n";
writeFileSync("paste.txt", paste);

const run = (program, words, input = "") =>
  spawnSync(program, words, { input, maxBuffer: 1 << 30, encoding: "utf8" });

/** Output, errors and exit code of a command line, which both programs share. */
function both(words, input) {
  const [one, two] = [run(native, words, input), run(process.execPath, [ours, ...words], input)];
  for (const of of ["stdout", "stderr", "status"]) assert.equal(two[of], one[of], `${words}: ${of}`);
  return one;
}

/** Output of a program that runs beside others. */
function begin(program, words, input) {
  const child = spawn(program, words);
  const found = { stdout: "", stderr: "" };
  for (const of of ["stdout", "stderr"]) {
    child[of].setEncoding("utf8").on("data", (text) => (found[of] += text));
  }
  child.stdin.end(input);
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (status) => done({ ...found, status }));
  });
}

const json = (words, input) => JSON.parse(both(words, input).stdout);

const tests = {
  async "every link gives the bytes of the native program"() {
    // Levers take a thousand evaluations each; `parity` compares them, too.
    for (const [words, asked] of [[["--no-levers"], links], [[], links.slice(0, 100)]]) {
      const input = `${asked.join("\n")}\n`;
      const [one, two] = await Promise.all([
        begin(native, words, input),
        begin(process.execPath, [ours, ...words], input),
      ]);
      const [expected, found] = [one, two].map((of) => of.stdout.split("\n"));
      asked.forEach((link, index) => assert.equal(found[index], expected[index], link));
      assert.equal(two.stdout, one.stdout);
      assert.deepEqual([expected.length, two.status, two.stderr], [asked.length + 1, one.status, ""]);
    }
  },
  "options and exit codes are those of the native program"() {
    const link = "?v=3&model=qwen3-8b&gpu=h100";
    assert.match(both(["--help"]).stdout, /^Usage: ridgepoint /);
    assert.match(both(["--version"]).stdout, /^ridgepoint \d/);
    assert.equal(both([link]).status, 0);
    assert.equal(both([], `${link}\r\n\n${link}`).stdout.split("\n").length, 4);
    assert.equal(both([]).stdout, "");
    assert.equal(both(["?v=3&gpus=71&ep=3", link]).status, 1);
    assert.equal(both(["--explain", "operator-200", "--text", link]).status, 1);
    assert.match(both(["--explain", "tpot", "--markdown", link]).stdout, /^\*\*/);
    for (const wrong of [["--serach"], ["hello"], ["--explain"], ["--explain", "tpto"], ["--text", link]]) {
      assert.equal(both(wrong).status, 2);
    }
    assert.equal(run(process.execPath, [ours, "--read", "absent.txt"]).status, 2);
    assert.match(both(["--read"], paste).stdout, /^{"format":"vllm-serve"/);
  },
  "functions return what the command line prints"() {
    const link = "?v=3&model=qwen3-8b&gpu=h100&gpus=2";
    assert.deepEqual(evaluate(link, { levers: false }), json(["--no-levers", link]));
    assert.deepEqual(evaluate(new URL(`https://example.org/${link}`)), json([link]));
    assert.deepEqual(search(link), json(["--search", link]));
    assert.deepEqual(explain(link, "tpot"), json(["--explain", "tpot", link]));
    assert.equal(explain(link, "operator-200"), null);
    assert.deepEqual(read(paste), json(["--read", "paste.txt"]));
    assert.throws(() => evaluate(), TypeError);
    assert.throws(() => explain(link, "tpto"), /no number `tpto`/);
  },
  "the package is installed with its program"() {
    const windows = process.platform === "win32";
    const bin = `node_modules/.bin/ridgepoint${windows ? ".cmd" : ""}`;
    assert.equal(spawnSync(bin, ["--version"], { shell: windows }).status, 0);
    for (const file of ["index.d.ts", "README.md", "LICENSE-MIT"]) {
      assert.ok(existsSync(`node_modules/ridgepoint/${file}`), file);
    }
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`test ${name} ... ok`);
  } catch (why) {
    failed += 1;
    console.log(`test ${name} ... FAILED\n${why.message.slice(0, 2000)}`);
  }
}
const passed = Object.keys(tests).length - failed;
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
process.exitCode = failed ? 1 : 0;
