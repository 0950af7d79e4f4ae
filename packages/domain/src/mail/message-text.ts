import type { Mail } from '../kernel/index.ts';

/** The content of a message: plain text, escaped for each format in which it is sent. */
export interface MessageText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the reader may do about it. */
  readonly action?: { readonly label: string; readonly url: string } | undefined;
}

const MAX_SUBJECT = 200;

/**
 * User input for the subject or the middle of a sentence: one line, without control characters and bidirectional
 * overrides, and of limited length.
 */
export function oneLine(text: string, max = MAX_SUBJECT): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (line.length <= max) return line;
  // Not within a character of two units.
  return `${line
    .slice(0, max - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const PAGE = 'font:16px/1.5 system-ui,sans-serif;color:#1f2328;max-width:36em;margin:0 auto;padding:24px';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6feb;color:#ffffff;text-decoration:none';

/** A message as it is sent: its subject, and its content as plain text and as HTML. */
export function compose(to: string, { subject, paragraphs, action }: MessageText): Mail {
  const lines = paragraphs.map((paragraph) => paragraph.replaceAll('\r', ''));
  const html = lines.map((line) => `<p>${escapeHtml(line).replaceAll('\n', '<br>')}</p>`);
  if (action) {
    const url = escapeHtml(action.url);
    html.push(
      `<p><a href="${url}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`,
      `<p style="font-size:13px">Or open this address: ${url}</p>`,
    );
  }
  return {
    to,
    subject: oneLine(subject),
    text: `${[...lines, ...(action ? [`${action.label}: ${action.url}`] : [])].join('\n\n')}\n`,
    html: `<!doctype html><html><body style="${PAGE}">${html.join('')}</body></html>`,
  };
}
