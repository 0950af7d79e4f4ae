import { Banner } from './note.tsx';

/** What a page over plain HTTP lacks, and why. Browsers count localhost as secure. */
export const InsecureBanner = () =>
  globalThis.isSecureContext ? null : (
    <Banner>
      This page was opened over plain HTTP: others on the network can read it, passwords included, and browsers forbid
      it the clipboard, encryption and locks. Unsaved edits are lost on a reload, values are copied by selecting them,
      and tabs may end each other’s session. Open it over HTTPS, or at http://localhost.
    </Banner>
  );
