// Bundles the page into one file: node build.mjs OUTPUT. The same sources give the same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const source = name => readFileSync(join(here, 'src', name), 'utf8');
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const bundled = await build({
  entryPoints: [join(here, 'src', 'main.js')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'inline',
  write: false,
});
const script = `\n${bundled.outputFiles[0].text.replaceAll('</script', '<\\/script')}`;
const style = `\n${source('style.css')}`;

// The browser runs this script and no other, and talks to nobody but the server of the page.
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const page = source('page.html')
  .replace(
    '<!-- policy -->',
    () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
  .replace('<!-- style -->', () => `<style>${style}</style>`)
  .replace('<!-- script -->', () => `<script>${script}</script>`);
writeFileSync(process.argv[2] ?? join(here, '..', 'share', 'scree', 'viewer.html'), page);
