import { Code } from '../../ui/code.tsx';
import { Button } from '../../ui/button.tsx';
import { download, fileName } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { OnceDialog } from '../../ui/once.tsx';
import styles from './chain.module.css';
import { certificatesIn } from './pem.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A certificate as the server answers it. */
export interface Issued {
  readonly certificate: string;
  readonly certificateChain: string | null;
  readonly privateKey?: string | null;
  readonly certificateId: string;
}

/** PEM files one after another. */
const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .filter((part) => part)
    .map((part) => `${part!.trim()}\n`)
    .join('');

const PEM = 'application/x-pem-file';

/** The files of a certificate. */
export function PemDownloads({
  of: { certificate, certificateChain, privateKey },
}: {
  readonly of: Omit<Issued, 'certificateId'>;
}) {
  const name = certificatesIn(certificate)[0]?.subject ?? 'certificate';
  const save = (extension: string, text: string) => download(fileName(name, extension), text, PEM);
  return (
    <div className={styles['files']}>
      <Row>
        <Button onClick={() => save('pem', joined(certificate))}>{words.certificate}</Button>
        {certificateChain && (
          <>
            <Button onClick={() => save('chain.pem', joined(certificateChain))}>{texts.chain}</Button>
            <Button onClick={() => save('fullchain.pem', joined(certificate, certificateChain))}>
              {texts.certificateAndChain}
            </Button>
          </>
        )}
        {privateKey && <Button onClick={() => save('key.pem', joined(privateKey))}>{texts.privateKey}</Button>}
      </Row>
    </div>
  );
}

interface IssuedDialogProps {
  readonly title?: string;
  readonly of: Issued;
  /** Whether its key can be read again: then it may be closed without a copy. */
  readonly isRepeatable?: boolean;
  readonly onClose: () => void;
}

/** A certificate with its private key, as long as the dialog is open. */
export function IssuedDialog({
  title = texts.certificateIsIssued,
  of: issued,
  isRepeatable = false,
  onClose,
}: IssuedDialogProps) {
  const { certificate, certificateChain, privateKey } = issued;
  const once = privateKey && !isRepeatable ? ([[texts.privateKey, privateKey]] as const) : [];
  return (
    <OnceDialog look="wide" title={title} of={once} onClose={onClose}>
      {privateKey && <Note kind="warn">{texts.privateKeyIsInThisDialog}</Note>}
      <h3>{texts.download}</h3>
      <PemDownloads of={issued} />
      {privateKey && (
        <>
          <h3>{texts.privateKey}</h3>
          <Code label={texts.privateKey}>{privateKey}</Code>
        </>
      )}
      <h3>{words.certificate}</h3>
      <Code label={words.certificate}>{joined(certificate)}</Code>
      {certificateChain && (
        <>
          <h3>{texts.chain}</h3>
          <Code label={texts.chain}>{joined(certificateChain)}</Code>
        </>
      )}
    </OnceDialog>
  );
}
