import { Component } from 'react';
import type { ErrorInfo, ReactNode } from 'react';

interface Props {
  /** Renders the replacement; `again` renders the children once more. */
  renderFailure: (error: unknown, again: () => void) => ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  failed: { error: unknown } | null;
}

/** Contains a failure to one part of the page. */
export class ErrorBoundary extends Component<Props, BoundaryState> {
  override state: BoundaryState = { failed: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('A part of the workbench failed.', error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return this.props.renderFailure(this.state.failed.error, () => this.setState({ failed: null }));
  }
}
