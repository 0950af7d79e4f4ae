import { useState } from 'react';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { useForm } from '../../ui/form.ts';
import { toast } from '../../ui/toast.tsx';
import { amend, draftKey, useDrafts, type Draft } from './drafts.ts';
import { childPath, type Place } from './place.ts';
import { selectedText, type Selected } from './selection.tsx';
import { TagChoice } from './tag-choice.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface BulkTagProps {
  readonly place: Place;
  readonly selected: Selected;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A secret with the IDs of its tags. */
type Tagged = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'> & {
  readonly version: number;
  readonly tagIds: readonly string[];
};

const idsOf = (tags: readonly { readonly id: string }[]): string[] => tags.map(({ id }) => id);

/** The selected secrets, and all below the selected folders. */
async function taggedIn({ projectId, path }: Place, { keys, folders }: Selected): Promise<Tagged[]> {
  const own = [...keys.values()].flatMap(({ secretKey, environments }) =>
    environments.map(({ environment, version, tags }) => ({
      ...{ environment, secretPath: path, secretKey, version },
      tagIds: idsOf(tags),
    })),
  );
  const places = [...folders.values()].flatMap(({ name, environments }) =>
    environments.map((environment) => ({ projectId, environment, secretPath: childPath(path, name) })),
  );
  const lists = await Promise.all(
    places.map((one) => coffer.secrets.list.query({ ...one, recursive: true, viewSecretValue: false })),
  );
  const below = lists.flatMap(({ secrets }) =>
    secrets.map(({ environment, secretPath, secretKey, version, tags }) => ({
      ...{ environment, secretPath, secretKey, version },
      tagIds: idsOf(tags),
    })),
  );
  return [...own, ...below];
}

/** Adds tags to many secrets, and takes others from them, as drafts. */
export function BulkTag({ place, selected, onClose, onDone }: BulkTagProps) {
  const drafts = useDrafts(place.projectId);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const form = useForm(async () => {
    const edits = (await taggedIn(place, selected)).flatMap(({ version, tagIds, ...at }): Draft[] => {
      const now = drafts.get(draftKey(at))?.details?.tagIds ?? tagIds;
      const next = [...new Set([...now, ...added])].filter((id) => !removed.includes(id));
      const isSame = next.length === now.length && next.every((id) => now.includes(id));
      return isSame ? [] : [{ ...at, kind: 'update', details: { tagIds: next }, expectedVersion: version }];
    });
    amend(place.projectId, edits);
    toast(edits.length === 0 ? texts.theyHaveTheseTags : texts.editsKept(edits.length));
    onClose();
    onDone();
  });
  return (
    <Dialog title={texts.tagSelected(selectedText(selected))} onClose={onClose}>
      <form onSubmit={form.submit}>
        <p>{selected.folders.size > 0 ? texts.inAllEnvironmentsWithAllThatIsBelow : texts.inAllEnvironments}</p>
        <TagChoice projectId={place.projectId} label={words.add} isOpen chosen={added} onChange={setAdded} />
        <TagChoice projectId={place.projectId} label={words.remove} chosen={removed} onChange={setRemoved} />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isBusy}
            disabled={added.length === 0 && removed.length === 0}
          >
            {texts.keepEdits}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
