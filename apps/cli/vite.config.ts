import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/** Read beside the module that needs it, in the bundle as in the sources. */
const RULES = `${import.meta.dirname}/src/commands/scan/rules.toml`;

/** One bundle with lazy chunks, which needs nothing but Node and, where there is one, the keyring. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [
    {
      name: 'rules',
      buildStart() {
        this.emitFile({ type: 'asset', fileName: 'rules.toml', source: readFileSync(RULES) });
      },
    },
  ],
  ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
  build: {
    ssr: 'src/main.ts',
    ssrEmitAssets: true,
    outDir: 'dist/bundle',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    rollupOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' } },
  },
});
