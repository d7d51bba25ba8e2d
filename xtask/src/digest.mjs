// SHA-256 of files, as `integrity` of a request names it: a line of name and digest for each.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

for (const name of process.argv.slice(1)) {
  const digest = createHash("sha256").update(readFileSync(name)).digest("base64");
  console.log(`${name} sha256-${digest}`);
}
