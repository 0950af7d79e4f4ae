import { defineConfig, type Plugin } from 'vite';
import { spoken } from './build/language.ts';

/** The order of the layers, in each style sheet: the one that the browser gets first decides, and that may be any of them. */
const layers: Plugin = {
  name: 'layers',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = `@layer base,parts,screens;${String(file.source)}`;
  },
};

/** The console as hashed files. In development, `pnpm --filter @coffer/web dev` serves it beside a server on port 8080. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [layers, spoken(process.env['COFFER_WEB_LANGUAGE'] ?? 'en')],
  build: {
    outDir: process.env['COFFER_WEB_OUT'] ?? 'dist/console',
    emptyOutDir: true,
    // What is loaded with what, for the budgets.
    manifest: 'manifest.json',
    target: 'es2023',
    // A file of its own for each: `data:` is not allowed in styles and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { assetFileNames: 'assets/[name]-[hash][extname]' } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
