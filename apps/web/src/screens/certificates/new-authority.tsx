import { useNavigate } from '@tanstack/react-router';
import { useProjectId } from '../../app/project.ts';
import { Creation } from '../../ui/creation.tsx';
import { hiddenPart } from '../../ui/schema-form/choice-part.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { AUTHORITY, EXTERNAL, type ExternalType } from './authorities-of.ts';
import { externalParts } from './external-parts.ts';
import { parentPart } from './parts.tsx';
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

const OWN = [
  { id: 'root', name: texts.root, detail: texts.signsItself },
  { id: 'intermediate', name: texts.intermediate, detail: texts.signedByRootHere },
] as const;
const TYPES = [
  ...OWN.map((type) => ({ ...type, external: undefined })),
  ...EXTERNAL.map((external) => ({ id: external.type, name: external.title, detail: texts.issuesElsewhere, external })),
];

/** A new authority: its type, then what that takes. */
export const NewAuthority = () => (
  <Creation what={texts.authorityInText} types={TYPES} typeOf={(type) => type}>
    {({ id, external }, close) =>
      external ? <ExternalForm of={external} onClose={close} /> : <OwnForm type={id} onClose={close} />
    }
  </Creation>
);

/** The key of an authority is fast and small, unless another one is chosen. */
const USUAL = { keyAlgorithm: 'EC_prime256v1', maxPathLength: -1 };

function OwnForm({ type, onClose }: { readonly type: string; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  return (
    <OperationForm
      area="certificateAuthorities"
      procedure="create"
      given={{ projectId }}
      hidden={['disableDirectIssuance']}
      initial={{ enableDirectIssuance: true, configuration: { ...USUAL, type } }}
      parts={{
        'configuration.type': hiddenPart,
        'configuration.parentCaId': type === 'root' ? hiddenPart : parentPart,
      }}
      prominent={['configuration.commonName', 'configuration.keyAlgorithm', 'configuration.notAfter']}
      submit={words.create}
      onCancel={onClose}
      onDone={({ id }) => void navigate({ to: AUTHORITY, params: { projectId, id } })}
    />
  );
}

function ExternalForm({
  of: { area, type, apps },
  onClose,
}: {
  readonly of: ExternalType;
  readonly onClose: () => void;
}) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  return (
    <OperationForm
      area={area}
      procedure="create"
      given={{ projectId }}
      parts={externalParts(apps)}
      submit={words.checkAndCreate}
      onCancel={onClose}
      onDone={({ id }) =>
        void navigate({
          to: '/projects/$projectId/certificates/external-authorities/$type/$id',
          params: { projectId, type, id },
        })
      }
    />
  );
}
