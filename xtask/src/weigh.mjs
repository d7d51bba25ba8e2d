// Sizes of files: a line of name, bytes, bytes after gzip and bytes after brotli for each, both at their best.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import zlib from "node:zlib";

const { BROTLI_PARAM_LGBLOCK, BROTLI_PARAM_NDIRECT } = zlib.constants;
const [gzip, brotliCompress] = [zlib.gzip, zlib.brotliCompress].map(promisify);

// The encoder's choice of blocks wavers by 0.6% with a few bytes of a large program; the best of several wavers less.
const LARGE = 1_000_000;
const blocks = (size) => ({
  params: { [BROTLI_PARAM_LGBLOCK]: size, [BROTLI_PARAM_NDIRECT]: 8 },
});

// All at a time, on all cores.
const lines = process.argv.slice(1).map(async (file) => {
  const bytes = await readFile(file);
  const others = (bytes.length > LARGE ? [16, 17, 18] : [16]).map(blocks);
  const brotli = [{}, ...others].map((options) => brotliCompress(bytes, options));
  const sizes = await Promise.all([gzip(bytes, { level: 9 }), ...brotli]);
  const [gzipped, ...compressed] = sizes.map((size) => size.length);
  return [file, bytes.length, gzipped, Math.min(...compressed)].join(" ");
});
for (const line of lines) console.log(await line);
