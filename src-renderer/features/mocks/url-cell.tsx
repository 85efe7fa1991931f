import styles from './url-cell.module.css';

/** A URL in a list: the host in gray and cut first, because calls of one system differ in their paths. */
export function UrlCell({ url }: { url: string }) {
  const { host, path } = partsOfUrl(url);
  return (
    <span className={styles.url} dir="ltr">
      <span className={styles.host}>{host}</span>
      <span className={styles.path}>{path}</span>
    </span>
  );
}

/** The host of a URL or of a pattern, without the scheme if that is https, and the rest. */
export function partsOfUrl(url: string): { host: string; path: string } {
  const [, host = '', path = ''] = /^((?:[a-z]+:\/\/)?[^/?#]*)(.*)$/is.exec(url.replace(/^https:\/\//, '')) ?? [];
  return { host, path };
}
