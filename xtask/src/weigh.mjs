// Sizes of files: a line of name, bytes, bytes after gzip and bytes after brotli for each, both at their best.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// The encoder's choice of blocks wavers by 0.6% with a few bytes of a large program; the best of several wavers less.
const LARGE = 1_000_000;
const blocks = (size) => ({
  params: { [constants.BROTLI_PARAM_LGBLOCK]: size, [constants.BROTLI_PARAM_NDIRECT]: 8 },
});

for (const file of process.argv.slice(1)) {
  const bytes = readFileSync(file);
  const others = (bytes.length > LARGE ? [16, 17, 18] : [16]).map(blocks);
  const brotli = [{}, ...others].map((options) => brotliCompressSync(bytes, options).length);
  console.log(file, bytes.length, gzipSync(bytes, { level: 9 }).length, Math.min(...brotli));
}
