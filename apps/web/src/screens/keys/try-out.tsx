import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Part } from '../../ui/detail.tsx';
import { Row, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { fromBase64, isBase64, toBase64, type Form } from './base64.ts';
import type { Key } from './key.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Algorithm = Outputs['kmsKeys']['listSigningAlgorithms']['signingAlgorithms'][number];

/** What is tried: only in this part of the page, as long as it is shown. */
interface Tried {
  readonly input: string;
  readonly form: Form;
  /** Authenticated with a ciphertext. */
  readonly associated: string;
  /** The ciphertext, signature or MAC. */
  readonly output: string;
  readonly algorithm: Algorithm | '';
}

const NOTHING: Tried = { input: '', form: 'text', associated: '', output: '', algorithm: '' };

/** What a step shows: other values, or whether a signature is valid. */
type Result = Partial<Tried> | boolean;

interface Step {
  readonly label: string;
  /** Of the rules about keys. */
  readonly action: string;
  readonly run: (keyId: string, tried: Tried) => Promise<Result>;
}

interface Trial {
  readonly input: string;
  readonly output: string;
  readonly steps: readonly [make: Step, check: Step];
}

const dataOf = ({ input, form }: Tried) => toBase64(input, form);
const associatedOf = ({ associated }: Tried) => (associated ? { associatedData: toBase64(associated, 'text') } : {});
const algorithmOf = ({ algorithm }: Tried) => (algorithm ? { signingAlgorithm: algorithm } : {});

const TRIALS: Readonly<Record<Key['keyUsage'], Trial>> = {
  'encrypt-decrypt': {
    input: texts.plaintext,
    output: texts.ciphertext,
    steps: [
      {
        label: texts.encrypt,
        action: 'encrypt',
        run: async (keyId, tried) => {
          const input: Inputs['kms']['encrypt'] = { keyId, plaintext: dataOf(tried), ...associatedOf(tried) };
          return { output: (await coffer.kms.encrypt.mutate(input)).ciphertext };
        },
      },
      {
        label: texts.decrypt,
        action: 'decrypt',
        run: async (keyId, tried) => {
          const { plaintext } = await coffer.kms.decrypt.mutate({
            keyId,
            ciphertext: tried.output.trim(),
            ...associatedOf(tried),
          });
          const { text, form } = fromBase64(plaintext);
          return { input: text, form };
        },
      },
    ],
  },
  'sign-verify': {
    input: texts.data,
    output: words.signature,
    steps: [
      {
        label: texts.sign,
        action: 'sign',
        run: async (keyId, tried) => ({
          output: (await coffer.kms.sign.mutate({ keyId, data: dataOf(tried), ...algorithmOf(tried) })).signature,
        }),
      },
      {
        label: texts.verify,
        action: 'verify',
        run: async (keyId, tried) => {
          const input = { keyId, data: dataOf(tried), signature: tried.output.trim(), ...algorithmOf(tried) };
          return (await coffer.kms.verify.mutate(input)).signatureValid;
        },
      },
    ],
  },
  'generate-verify-mac': {
    input: texts.data,
    output: texts.mac,
    steps: [
      {
        label: texts.generateMac,
        action: 'generate-mac',
        run: async (keyId, tried) => ({
          output: (await coffer.kms.generateMac.mutate({ keyId, data: dataOf(tried) })).mac,
        }),
      },
      {
        label: texts.verify,
        action: 'verify-mac',
        run: async (keyId, tried) =>
          (await coffer.kms.verifyMac.mutate({ keyId, data: dataOf(tried), mac: tried.output.trim() })).macValid,
      },
    ],
  },
};

/** A use of the key by hand. The audit log records it like any other. */
export function TryOut({ of: { id: keyId, keyUsage, projectId, isDisabled, deletionDate } }: { readonly of: Key }) {
  const may = useProjectRights(projectId);
  const [tried, setTried] = useState(NOTHING);
  const [isValid, setValid] = useState<boolean>();
  const { input, output, steps } = TRIALS[keyUsage];
  const offered = steps.filter(({ action }) => may('cmek', action));
  if (isDisabled || deletionDate !== null || offered.length === 0) return null;
  const fault = tried.form === 'base64' && !isBase64(tried.input) ? texts.thisIsNoBase : undefined;
  const enter = (change: Partial<Tried>) => {
    setTried((now) => ({ ...now, ...change }));
    setValid(undefined);
  };
  const run = async (step: Step) => {
    const result = await step.run(keyId, tried);
    if (typeof result === 'boolean') setValid(result);
    else enter(result);
  };
  return (
    <Part title={texts.tryItOut}>
      <p>{texts.whatIsEnteredHere}</p>
      <SelectField
        label={texts.inputIs(input)}
        value={tried.form}
        onChange={(event) => enter({ form: event.target.value as Form })}
      >
        <option value="text">{texts.textUtf8}</option>
        <option value="base64">{texts.base64}</option>
      </SelectField>
      <TextArea
        label={input}
        error={fault}
        value={tried.input}
        onChange={(event) => enter({ input: event.target.value })}
      />
      {keyUsage === 'encrypt-decrypt' && (
        <TextField
          label={texts.associatedData}
          hint={texts.optionalDecryptionNeedsSame}
          value={tried.associated}
          onChange={(event) => enter({ associated: event.target.value })}
        />
      )}
      {keyUsage === 'sign-verify' && (
        <AlgorithmField keyId={keyId} value={tried.algorithm} onChange={(algorithm) => enter({ algorithm })} />
      )}
      <TextArea label={output} value={tried.output} onChange={(event) => enter({ output: event.target.value })} />
      <Row>
        {offered.map((step) => (
          <Act
            key={step.label}
            label={step.label}
            kind="primary"
            isDisabled={fault !== undefined}
            run={() => run(step)}
          />
        ))}
      </Row>
      <div role="status">
        {isValid === true && <Note kind="good">{texts.itIsValid}</Note>}
        {isValid === false && <Note kind="bad">{texts.itIsNotValid}</Note>}
      </div>
    </Part>
  );
}

interface AlgorithmFieldProps {
  readonly keyId: string;
  readonly value: Algorithm | '';
  readonly onChange: (algorithm: Algorithm) => void;
}

function AlgorithmField({ keyId, value, onChange }: AlgorithmFieldProps) {
  const { data } = useQuery(ask('kmsKeys', 'listSigningAlgorithms', { keyId }));
  const all = data?.signingAlgorithms ?? [];
  return (
    <SelectField
      label={texts.algorithm}
      value={value || all[0]}
      onChange={(event) => onChange(event.target.value as Algorithm)}
    >
      {all.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </SelectField>
  );
}
