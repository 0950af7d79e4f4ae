import { useEffect, useState } from 'react';
import { hideAll } from '../../app/reveal.ts';
import { Empty } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Bulk } from './bulk.tsx';
import { Details } from './details.tsx';
import { useDrafts } from './drafts.ts';
import { Grid } from './grid.tsx';
import { useOverview, type Overview } from './pages.ts';
import { usePlace, type Place } from './place.ts';
import { SaveBar } from './save-bar.tsx';
import { NOTHING, selectedText, type Selected } from './selection.tsx';
import { Toolbar } from './toolbar.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The secrets of a folder: keys down, environments across; edits are kept until they are saved together. */
export function Screen() {
  const place = usePlace();
  const overview = useOverview(place);
  useEffect(() => hideAll, []);
  return (
    <Page title={words.secrets} isFull>
      <Queried query={overview}>{(data) => <Secrets key={place.projectId} place={place} overview={data} />}</Queried>
    </Page>
  );
}

function Secrets({ place, overview }: { readonly place: Place; readonly overview: Overview }) {
  const drafts = useDrafts(place.projectId);
  const [selected, setSelected] = useState<Selected>(NOTHING);
  // What is selected is in sight: a search or another folder begins anew.
  useEffect(() => setSelected(NOTHING), [place.path, place.search, place.tag]);
  const isEmpty = overview.totalCount === 0 && overview.folders.length === 0 && drafts.size === 0;
  return (
    <>
      <Toolbar place={place} overview={overview} />
      {selectedText(selected) !== '' && (
        <Bulk place={place} overview={overview} selected={selected} onDone={() => setSelected(NOTHING)} />
      )}
      {isEmpty ? (
        <Empty>{place.search || place.tag ? texts.nothingHereHasThisName : texts.thereAreNoSecrets}</Empty>
      ) : (
        <Grid place={place} overview={overview} drafts={drafts} selected={selected} onSelect={setSelected} />
      )}
      {drafts.size > 0 && <SaveBar projectId={place.projectId} drafts={drafts} />}
      {place.opened && <Details place={place} at={{ ...place.opened, secretPath: place.path }} />}
    </>
  );
}
