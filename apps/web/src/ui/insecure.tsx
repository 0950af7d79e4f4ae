import { Banner } from './note.tsx';
import { texts } from './texts.ts';

/** What a page over plain HTTP lacks, and why. Browsers count localhost as secure. */
export const InsecureBanner = () => (globalThis.isSecureContext ? null : <Banner>{texts.thisPageWasOpened}</Banner>);
