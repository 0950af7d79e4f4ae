import { defineConfig } from 'vite';

/** One bundle with lazy chunks, which needs nothing but Node and, where there is one, the keyring. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist/bundle',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    rollupOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' } },
  },
});
