import { printable } from './printable.ts';

/** A test of a report for build servers. */
export interface JUnitCase {
  suite: string;
  name: string;
  ms: number;
  /** null if it passed. */
  failure: { type: string; message: string } | null;
  /** Why it was not run. */
  skipped?: string;
  output: string;
}

/** A report as JUnit XML, with a suite for each name of one. Members with an @ are attributes. */
export async function junitXml(cases: readonly JUnitCase[]): Promise<string> {
  const { default: XMLBuilder } = await import('fast-xml-builder');
  const counts = (some: readonly JUnitCase[]) => ({
    '@tests': some.length,
    '@failures': some.filter(({ failure }) => failure !== null).length,
    '@errors': 0,
    '@skipped': some.filter(({ skipped }) => skipped !== undefined).length,
  });
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(([suite, some]) => ({
    '@name': xml(suite),
    ...counts(some),
    testcase: some.map(testCase),
  }));
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: { ...counts(cases), testsuite: suites },
  });
}

function testCase({ suite, name, ms, failure, skipped, output }: JUnitCase) {
  const details = failure ? xml(failure.message) : '';
  return {
    '@classname': xml(suite),
    '@name': xml(name),
    '@time': ms / 1_000,
    ...(failure && { failure: { '@message': details, '@type': failure.type, '#text': details } }),
    ...(skipped !== undefined && { skipped: { '@message': xml(skipped) } }),
    ...(output !== '' && { 'system-out': xml(output) }),
  };
}

/** Characters that XML does not allow, made visible. */
const xml = (text: string): string => printable(text).replaceAll(/[\ufffe\uffff]|\p{Cs}/gu, '�');
