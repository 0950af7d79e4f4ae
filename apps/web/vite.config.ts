import { defineConfig } from 'vite';

/** The console as hashed files. In development, `pnpm --filter @coffer/web dev` serves it beside a server on port 8080. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    outDir: process.env['COFFER_WEB_OUT'] ?? 'dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // A file of its own for each: `data:` is not allowed in styles and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { assetFileNames: 'assets/[name]-[hash][extname]' } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
