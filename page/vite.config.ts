import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vite";

/** A hash of all that the page is built from: a test compares it without Node. */
function sources(): string {
  const files = ["src", "public"].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  const hash = createHash("sha256");
  for (const file of [...files, "package-lock.json"].sort()) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

const BANNER = `/*! Built from page/ by "make page"; sources ${sources()}. Holds Preact and its signals, MIT License, Copyright Jason Miller and the Preact team. */`;

// One script and one style under names that stay: the service names its files, and sends them with an ETag.
export default defineConfig({
  esbuild: { legalComments: "inline" },
  build: {
    outDir: "../src/citewell/serve/page/assets",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "main.js", assetFileNames: "page[extname]", inlineDynamicImports: true, banner: BANNER },
    },
  },
});
