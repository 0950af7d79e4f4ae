import { defineConfig } from 'vite';
import command from './vite.config.ts';

/** The GitHub Action: all of it in one file, beside its action.yml, as a repository of an Action has to have it. */
export default defineConfig({
  ...command,
  plugins: [],
  publicDir: 'action',
  build: {
    ...command.build,
    ssr: 'src/action/main.ts',
    copyPublicDir: true,
    outDir: 'dist/action',
    rollupOptions: { output: { entryFileNames: 'index.mjs', codeSplitting: false } },
  },
});
