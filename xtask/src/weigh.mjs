// Sizes of files: a line of name, bytes, bytes after gzip and bytes after brotli for each, both at their best.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

for (const file of process.argv.slice(1)) {
  const bytes = readFileSync(file);
  console.log(file, bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length);
}
