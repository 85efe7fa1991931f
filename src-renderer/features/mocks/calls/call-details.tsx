import { HelpLink } from '../../../frame/help/help-link.tsx';
import { useEffect, useState } from 'react';
import type { LoggedCall } from '#domain/mock/api-call';
import { WhyButton } from '../../../frame/why/why-button.tsx';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Button, Link } from '../../../ui/fluent.ts';
import { AddRegular } from '../../../ui/icons.ts';
import { imageUrl } from '../../../support/image-url.ts';
import { MessageView } from '../../../ui/text/message-view.tsx';
import { moment } from '../../../support/moment.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import styles from '../mocks.module.css';

interface Props {
  call: LoggedCall;
  onMakeMock: () => void;
  onCopyCurl: () => void;
}

/** An API call: its request and its response, masked. */
export function CallDetails({ call, onMakeMock, onCopyCurl }: Props) {
  const { client, show } = useWorkbench();
  const { seq, operation, method, url, statusCode, ms, source, mock, error, reason, tag, dryRun, request, response } =
    call;
  const [image, setImage] = useState<string | null>(null);
  const binary = response !== null && response.body === null && response.bytes > 0;
  useEffect(() => {
    if (!binary) return undefined;
    const end = new AbortController();
    client.calls.image({ seq }, { signal: end.signal }).then(
      ({ base64 }) => setImage(base64 === null ? null : imageUrl(base64)),
      // Without it, the rest of the call is still shown.
      () => undefined,
    );
    return () => end.abort();
  }, [client, seq, binary]);
  return (
    <div className={styles.details}>
      <header className={styles.detailsHead}>
        <h2>
          {method === '' ? operation : method} <span className={styles.badge}>{error ?? statusCode}</span>
        </h2>
        {method !== '' && (
          <Button size="small" appearance="subtle" onClick={onCopyCurl}>
            Copy as curl
          </Button>
        )}
        <Button size="small" icon={<AddRegular />} aria-keyshortcuts="Control+M" onClick={onMakeMock}>
          Create mock
        </Button>
        <WhyButton thing={`call:${seq}`} quiet />
      </header>
      <p className={styles.url}>{url}</p>
      <p className={styles.quiet}>
        {operation}, {ms} ms, at {moment(new Date(call.at))}
        {dryRun && ', in a dry run'}
        {source === 'live' && ', from the remote server'}
        {source === 'mock' && (
          <>
            , from the mock “<bdi>{mock}</bdi>”
          </>
        )}
      </p>
      {tag !== '' && (
        <p className={styles.quiet}>
          Script of{' '}
          <Link as="button" onClick={() => show('tags', tag)}>
            <TagPath path={tag} />
          </Link>
        </p>
      )}
      {reason !== undefined && (
        <p className={styles.warning}>
          {error}: {reason} <HelpLink to="apiErrors" />
        </p>
      )}
      <MessageView label="Request" headers={request.headers} text={request.body} image={null} bytes={request.bytes} />
      {response === null ? (
        <p className={styles.quiet}>No response.</p>
      ) : (
        <MessageView
          label="Response"
          headers={response.headers}
          text={response.body}
          image={image}
          bytes={response.bytes}
        />
      )}
    </div>
  );
}
