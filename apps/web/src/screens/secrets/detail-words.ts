import type { Details } from './drafts.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const TITLES: Readonly<Record<keyof Details, string>> = {
  newSecretName: words.name,
  secretComment: words.comment,
  tagIds: words.tags,
  secretMetadata: words.metadata,
  secretReminderNote: texts.reminderNote,
  secretReminderRepeatDays: texts.reminderDays,
  secretReminderRecipients: texts.reminderRecipients,
};

interface Tag {
  readonly id: string;
  readonly slug: string;
}

/** What an edit changes besides the value, as names and texts. Encrypted metadata have none. */
export function detailFacts(details: Details, tags: readonly Tag[]): [title: string, text: string][] {
  const values: Record<keyof Details, string> = {
    newSecretName: details.newSecretName ?? '',
    secretComment: details.secretComment ?? '',
    tagIds: (details.tagIds ?? []).map((id) => tags.find((tag) => tag.id === id)?.slug ?? id).join(', '),
    secretMetadata: (details.secretMetadata ?? [])
      .map(({ key, value = '', isEncrypted }) => `${key}=${isEncrypted ? '••••••' : value}`)
      .join(', '),
    secretReminderNote: details.secretReminderNote ?? '',
    secretReminderRepeatDays: details.secretReminderRepeatDays ? String(details.secretReminderRepeatDays) : '',
    secretReminderRecipients: (details.secretReminderRecipients ?? []).join(', '),
  };
  return (Object.keys(TITLES) as (keyof Details)[])
    .filter((field) => field in details)
    .map((field) => [TITLES[field], values[field] || '–']);
}
