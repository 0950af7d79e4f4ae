import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Facts } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { CopyAs } from './copy-as.tsx';
import { draftKey, useDrafts } from './drafts.ts';
import { detailFacts } from './detail-words.ts';
import { EditDetails, storedDetails } from './edit-details.tsx';
import { PersonalValue } from './personal-value.tsx';
import { keysNamed } from './pages.ts';
import { useGo, type Place } from './place.ts';
import { References } from './references.tsx';
import { Trace } from './trace.tsx';
import { Versions } from './versions.tsx';
import { texts } from './texts.ts';

interface At {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretKey: string;
}

/** A secret in one environment: what it has besides its value, its versions, where it is used. */
export function Details({ place, at }: { readonly place: Place; readonly at: At }) {
  const go = useGo();
  const drafts = useDrafts(place.projectId);
  const { projectId } = place;
  const secret = useQuery({
    ...ask('secrets', 'get', {
      ...{ projectId, environment: at.environment, secretPath: at.secretPath, secretName: at.secretKey },
      viewSecretValue: false,
    }),
  });
  const row = useQuery(keysNamed(place, [at.secretKey]));
  const entry = row.data?.secrets[0]?.environments.find(({ environment }) => environment === at.environment);
  const isWritable = entry?.mayEdit === true;
  return (
    <Dialog title={texts.keyIn(at.secretKey, at.environment)} look="side" onClose={() => go({ env: '', key: '' })}>
      <Queried query={secret}>
        {({ secret: found }) => (
          <>
            <p>
              {texts.versionChanged(found.version, <Time at={found.updatedAt} />)}
              {found.actor?.name && <> {texts.byName(found.actor.name)}</>}{' '}
              {found.isRotatedSecret && <Badge kind="good">{texts.rotated}</Badge>}
            </p>
            <p>
              <EventsLink of={{ environment: at.environment, path: at.secretPath, key: at.secretKey }}>
                {texts.eventsWhoHasRead}
              </EventsLink>
            </p>
            {isWritable ? (
              <EditDetails projectId={projectId} at={at} secret={found} draft={drafts.get(draftKey(at))} />
            ) : (
              <Facts of={detailFacts(storedDetails(found), found.tags)} />
            )}
            <PersonalValue place={place} at={at} />
            <Versions
              projectId={projectId}
              secretId={found.id}
              at={at}
              current={found.version}
              isWritable={isWritable}
            />
            {entry?.secretValueHidden === false && <Trace projectId={projectId} at={at} />}
            <References projectId={projectId} at={at} />
            <CopyAs projectId={projectId} at={at} />
          </>
        )}
      </Queried>
    </Dialog>
  );
}
