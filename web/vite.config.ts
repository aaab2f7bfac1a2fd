import { defineConfig } from 'vite';

// Three files with fixed names, which is what the server looks for (apps/viewer/page.cpp). Addresses are relative: the
// page lives behind a token.
export default defineConfig({
  base: './',
  build: {
    outDir: process.env.SINEW_PAGE_FOLDER ?? 'dist',
    emptyOutDir: true,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        entryFileNames: 'page.js',
        assetFileNames: 'page.[ext]',
        inlineDynamicImports: true,
      },
    },
  },
});
