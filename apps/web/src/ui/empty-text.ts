import type { May } from '../app/rights.ts';
import { texts } from './texts.ts';

/** What stands in an empty list. Lists have what one may read: where that is nothing, it says so. */
export const emptyText = (may: May, subject: string, text: string): string =>
  may(subject, 'read') ? text : texts.youMayNotRead(subject);
