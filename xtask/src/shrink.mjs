// Makes WebAssembly programs smaller, in place: binaryen's module, then pairs of a level and a file.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, module, ...pairs] = process.argv;
const { default: binaryen } = await import(pathToFileURL(module));
while (pairs.length) {
  const [level, file] = pairs.splice(0, 2);
  const program = binaryen.readBinary(readFileSync(file));
  binaryen.setOptimizeLevel(Number(level));
  binaryen.setShrinkLevel(0);
  program.optimize();
  program.runPasses(["strip-debug"]);
  writeFileSync(file, program.emitBinary());
  program.dispose();
}
