import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { Place } from './place.ts';

/** Marks a place, or none. */
export const showMark = StateEffect.define<Place | null>();

const MARK = Decoration.mark({ class: 'code-problem' });

/** The marked place. It moves with the text until it is marked again. */
export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(showMark)) continue;
      const { from, to } = effect.value ?? { from: 0, to: 0 };
      const end = Math.min(to, transaction.newDoc.length);
      next = from >= end ? Decoration.none : Decoration.set([MARK.range(from, end)]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
