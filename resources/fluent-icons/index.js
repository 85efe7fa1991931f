// Made by resources/bin/fluent-icons.mjs of @fluentui/react-icons 2.0.344 (MIT license, see LICENSE).
import * as React from "react";
import { __styles, mergeClasses } from "@griffel/react";
var useStyles = __styles({
	root: {
		mc9l5x: "f1w7gpdv",
		Bg96gwp: "fez10in"
	},
	rtl: { Bz10aip: "f13rod7r" }
}, { d: [
	".f1w7gpdv{display:inline;}",
	".fez10in{line-height:0;}",
	".f13rod7r{transform:scaleX(-1);}"
] });
var IconDirectionContext = React.createContext(void 0);
var IconDirectionContextDefaultValue = {};
var IconDirectionContextProvider = IconDirectionContext.Provider;
var useIconContext = () => {
	const context = React.useContext(IconDirectionContext);
	return context !== null && context !== void 0 ? context : IconDirectionContextDefaultValue;
};
var iconClassName = "fui-Icon";
var iconFilledClassName = "fui-Icon-filled";
var iconRegularClassName = "fui-Icon-regular";
/**
* Data attribute applied to every icon (SVG and font) for CSS targeting.
* Enables selecting any icon from the catalogue via the `[data-fui-icon]` selector.
*/
var DATA_FUI_ICON = "data-fui-icon";
/**
* Styling-agnostic icon state shared by the Griffel and headless APIs.
*
* Handles the parts that are identical regardless of styling strategy:
* - strips non-DOM props (`filled`)
* - maps `primaryFill` -> `fill`
* - applies a11y (`title` -> `aria-label`, otherwise `aria-hidden`; `role="img"`)
* - sets the base `data-fui-icon` attribute so any icon is CSS-selectable
* - resolves the RTL flip decision from icon context
*
* Callers layer their own className / additional `data-*` attribute styling on
* top, and apply the visual RTL flip using `isRtlFlip`.
*/
var useBaseIconState = (props, options) => {
	const { filled, idPrefix, title, primaryFill = "currentColor", ...rest } = props;
	const state = {
		...rest,
		fill: primaryFill
	};
	const iconContext = useIconContext();
	const isRtlFlip = Boolean((options === null || options === void 0 ? void 0 : options.flipInRtl) && (iconContext === null || iconContext === void 0 ? void 0 : iconContext.textDirection) === "rtl");
	if (title) state["aria-label"] = title;
	if (!state["aria-label"] && !state["aria-labelledby"]) state["aria-hidden"] = true;
	else state["role"] = "img";
	state[DATA_FUI_ICON] = "";
	return {
		state,
		isRtlFlip
	};
};
var useIconState = (props, options) => {
	const styles = useStyles();
	const { state, isRtlFlip } = useBaseIconState(props, options);
	state.className = mergeClasses(styles.root, isRtlFlip && styles.rtl, state.className);
	return state;
};
var useRootStyles = __styles({ root: { B8gzw0y: "f1dd5bof" } }, { m: [["@media (forced-colors: active){.f1dd5bof{forced-color-adjust:auto;}}", { m: "(forced-colors: active)" }]] });
/** The literal prefix of an SVG `url(#…)` local reference. */
var URL_REF = "url(#";
/**
* Recursively renders an {@link SvgNode} tree into React elements. When `prefix`
* is set, every `id` definition and `url(#…)` reference is scoped with it so
* repeated color icons don't collide in the global DOM id namespace.
*/
var renderSvgNode = (node, key, prefix) => {
	const [tag, attrs, ...children] = node;
	let scoped = attrs;
	if (prefix && attrs) {
		const next = {};
		for (const attrName in attrs) {
			const attrValue = attrs[attrName];
			if (typeof attrValue !== "string") next[attrName] = attrValue;
			else if (attrName === "id") next[attrName] = prefix + attrValue;
			else {
				const refAt = attrValue.indexOf(URL_REF);
				next[attrName] = refAt < 0 ? attrValue : attrValue.slice(0, refAt + 5) + prefix + attrValue.slice(refAt + 5);
			}
		}
		scoped = next;
	}
	return React.createElement(tag, {
		...scoped,
		key
	}, ...children.map((child, idx) => renderSvgNode(child, idx, prefix)));
};
/** Normalizes the icon width into a square viewBox dimension. */
var computeViewBox = (width) => width === "1em" ? "20" : width;
/**
* Pre-renders color SVG node trees so the recursion stays out of the hot render
* path. Returns `undefined` for mono-color (path `string[]`) icons. When
* `prefix` is set, locally-scoped `id`s (gradients, clip paths, filters) and
* their `url(#…)` references are prefixed so repeated color icons don't collide
* in the global DOM id namespace.
*/
var precomputeColorChildren = (pathsOrSvg, options, prefix) => typeof pathsOrSvg !== "string" && ((options === null || options === void 0 ? void 0 : options.color) || Array.isArray(pathsOrSvg[0])) ? pathsOrSvg.map((node, i) => renderSvgNode(node, i, prefix)) : void 0;
/** Shared mono-color resolver — calls no hooks and allocates nothing per component. */
var noColorChildren = () => void 0;
/**
* Creates a per-component resolver for a color icon's rendered children.
*
* Color detection and the shared (unscoped) precompute run once here, at factory
* time. The returned hook:
* - for mono-color icons, is a shared no-op returning `undefined` (no React hook,
*   no per-component or per-instance allocation);
* - for color icons, memoizes per instance on `idPrefix`, so re-renders reuse the
*   element tree and only rebuild when the prefix actually changes.
*
* Branching here (an icon's "color-ness" is fixed at factory time) keeps hook
* order stable per component, so only color icons ever pay for the memo hook.
*/
var createColorChildrenResolver = (pathsOrSvg, options) => {
	const colorChildren = precomputeColorChildren(pathsOrSvg, options);
	if (!colorChildren) return noColorChildren;
	return function useColorChildren(idPrefix) {
		return React.useMemo(() => idPrefix ? precomputeColorChildren(pathsOrSvg, options, idPrefix) : colorChildren, [idPrefix]);
	};
};
/**
* Renders the `<svg>` element body for an already-resolved element `state`.
* Handles the three content forms:
* - raw innerHTML `string` (deprecated, CSP-unsafe `dangerouslySetInnerHTML`),
* - pre-rendered color children ({@link createColorChildrenResolver}),
* - mono-color path `d` strings.
*
* `state` must already carry className/fill/width/height/viewBox/xmlns/ref.
*/
var renderSvgBody = (state, pathsOrSvg, colorChildren) => {
	if (typeof pathsOrSvg === "string") return React.createElement("svg", {
		...state,
		dangerouslySetInnerHTML: { __html: pathsOrSvg }
	});
	if (colorChildren) return React.createElement("svg", state, ...colorChildren);
	return React.createElement("svg", state, ...pathsOrSvg.map((d) => React.createElement("path", {
		d,
		fill: state.fill
	})));
};
/**
* Creates a Fluent icon React component with Griffel styling.
*
* @param displayName - The display name for the component (used in React DevTools).
* @param width - The intrinsic width/height of the icon (e.g. `"20"`, `"24"`, `"1em"`).
* @param pathsOrSvg - Icon content in one of three forms:
*   - `string[]` — Array of SVG path `d` attributes (mono-color icons).
*   - `SvgNode[]` — Structured SVG element tree for color icons (CSP-safe).
*   - `string` — Raw SVG innerHTML string.
*     **Deprecated:** Use `SvgNode[]` with `options.color` instead. The `string` overload uses
*     `dangerouslySetInnerHTML` which violates Trusted Types CSP policies.
* @param options - Optional configuration.
*/
var createFluentIcon = (displayName, width, pathsOrSvg, options) => {
	const viewBoxWidth = computeViewBox(width);
	const useColorChildren = createColorChildrenResolver(pathsOrSvg, options);
	const Icon = React.forwardRef((props, ref) => {
		const styles = useRootStyles();
		const iconState = useIconState(props, { flipInRtl: options === null || options === void 0 ? void 0 : options.flipInRtl });
		const colorChildren = useColorChildren(props.idPrefix);
		return renderSvgBody({
			...iconState,
			className: mergeClasses(iconClassName, iconState.className, styles.root),
			ref,
			width,
			height: width,
			viewBox: `0 0 ${viewBoxWidth} ${viewBoxWidth}`,
			xmlns: "http://www.w3.org/2000/svg"
		}, pathsOrSvg, colorChildren);
	});
	Icon.displayName = displayName;
	return Icon;
};
var CalculatorRegular = /*#__PURE__*/ createFluentIcon("CalculatorRegular", "1em", ["M8 11a1 1 0 1 1-2 0 1 1 0 0 1 2 0m0 3a1 1 0 1 1-2 0 1 1 0 0 1 2 0m5-2a1 1 0 1 0 0-2 1 1 0 0 0 0 2m1 2a1 1 0 1 1-2 0 1 1 0 0 1 2 0m-4-2a1 1 0 1 0 0-2 1 1 0 0 0 0 2m1 2a1 1 0 1 1-2 0 1 1 0 0 1 2 0M7.5 4C6.67 4 6 4.67 6 5.5v1C6 7.33 6.67 8 7.5 8h5c.83 0 1.5-.67 1.5-1.5v-1c0-.83-.67-1.5-1.5-1.5zM7 5.5c0-.28.22-.5.5-.5h5c.28 0 .5.22.5.5v1a.5.5 0 0 1-.5.5h-5a.5.5 0 0 1-.5-.5zm9 10a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 4 15.5v-11A2.5 2.5 0 0 1 6.5 2h7A2.5 2.5 0 0 1 16 4.5zm-1-11c0-.83-.67-1.5-1.5-1.5h-7C5.67 3 5 3.67 5 4.5v11c0 .83.67 1.5 1.5 1.5h7c.83 0 1.5-.67 1.5-1.5z"]);
var SearchRegular = /*#__PURE__*/ createFluentIcon("SearchRegular", "1em", ["M13.73 14.44a6.5 6.5 0 1 1 .7-.7l3.42 3.4a.5.5 0 0 1-.63.77l-.07-.06zm-.71-.71A5.5 5.5 0 0 0 15 9.5a5.5 5.5 0 1 0-1.98 4.23"]);
var TableRegular = /*#__PURE__*/ createFluentIcon("TableRegular", "1em", ["M17 5.5A2.5 2.5 0 0 0 14.5 3h-9A2.5 2.5 0 0 0 3 5.5v9A2.5 2.5 0 0 0 5.5 17h9a2.5 2.5 0 0 0 2.5-2.5zm-13 9V13h3v3H5.36A1.5 1.5 0 0 1 4 14.5m8-1.5v3H8v-3zm2.5 3H13v-3h3v1.64A1.5 1.5 0 0 1 14.5 16M12 8v4H8V8zm1 0h3v4h-3zm-1-4v3H8V4zm1 0h1.64A1.5 1.5 0 0 1 16 5.5V7h-3zM7 4v3H4V5.36A1.5 1.5 0 0 1 5.5 4zm0 4v4H4V8z"]);
var CodeRegular = /*#__PURE__*/ createFluentIcon("CodeRegular", "1em", ["M12.64 1.02a.5.5 0 0 1 .34.62l-5 17a.5.5 0 0 1-.96-.28l5-17a.5.5 0 0 1 .62-.34M5.13 5.17a.5.5 0 0 1 .74.66L2.17 10l3.7 4.17a.5.5 0 0 1-.74.66l-4-4.5a.5.5 0 0 1 0-.66zm9.04-.04a.5.5 0 0 1 .7.04l4 4.5a.5.5 0 0 1 0 .66l-4 4.5a.5.5 0 0 1-.74-.66l3.7-4.17-3.7-4.17a.5.5 0 0 1 .04-.7"]);
var DataHistogramRegular = /*#__PURE__*/ createFluentIcon("DataHistogramRegular", "1em", ["M8 5v11h4V5a1 1 0 0 0-1-1H9a1 1 0 0 0-1 1M7 9V5c0-1.1.9-2 2-2h2a2 2 0 0 1 2 2v1h2a2 2 0 0 1 2 2v8.5a.5.5 0 0 1-.5.5h-13a.5.5 0 0 1-.5-.5V11c0-1.1.9-2 2-2zm0 7v-6H5a1 1 0 0 0-1 1v5zm6 0h3V8a1 1 0 0 0-1-1h-2z"]);
var DataLineRegular = /*#__PURE__*/ createFluentIcon("DataLineRegular", "1em", ["M15.5 4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M13 5.5a2.5 2.5 0 1 1 1.56 2.32l-1.29 1.92A2.5 2.5 0 0 1 11.5 14a2.5 2.5 0 0 1-2.05-1.08L6.95 14A2.5 2.5 0 0 1 4.5 17a2.5 2.5 0 1 1 2.05-3.92L9.05 12A2.5 2.5 0 0 1 11.5 9q.5 0 .94.18l1.29-1.92A2.5 2.5 0 0 1 13 5.5m-3 6a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0m-7 3a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0"]);
var DataScatterRegular = /*#__PURE__*/ createFluentIcon("DataScatterRegular", "1em", ["M2.5 2c.28 0 .5.22.5.5v13c0 .83.67 1.5 1.5 1.5h13a.5.5 0 0 1 0 1h-13A2.5 2.5 0 0 1 2 15.5v-13c0-.28.22-.5.5-.5M5 7.5a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0M7.5 6a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3m7-3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M13 5.5a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0m-3 7a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0m2.5-1.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3"]);
var DataTrendingRegular = /*#__PURE__*/ createFluentIcon("DataTrendingRegular", "1em", ["M2.5 2c.28 0 .5.22.5.5v13c0 .83.67 1.5 1.5 1.5h13a.5.5 0 0 1 0 1h-13A2.5 2.5 0 0 1 2 15.5v-13c0-.28.22-.5.5-.5M12 5.5c0-.28.22-.5.5-.5h4c.28 0 .5.22.5.5v4a.5.5 0 0 1-1 0V6.7l-4.65 4.65a.5.5 0 0 1-.7 0L9 9.71l-3.15 3.14a.5.5 0 0 1-.7-.7l3.5-3.5a.5.5 0 0 1 .7 0L11 10.29 15.3 6h-2.8a.5.5 0 0 1-.5-.5"]);
var DatabaseRegular = /*#__PURE__*/ createFluentIcon("DatabaseRegular", "1em", ["M4 5c0-1 .88-1.76 1.9-2.22C6.98 2.28 8.43 2 10 2s3.02.29 4.1.78C15.12 3.24 16 3.99 16 5v10c0 1-.88 1.76-1.9 2.22-1.08.5-2.53.78-4.1.78s-3.02-.29-4.1-.78C4.88 16.76 4 16.01 4 15zm1 0c0 .37.36.88 1.32 1.31.91.42 2.22.69 3.68.69s2.77-.27 3.68-.69C14.64 5.88 15 5.37 15 5s-.36-.88-1.32-1.31A9 9 0 0 0 10 3c-1.46 0-2.77.27-3.68.69C5.36 4.12 5 4.63 5 5m10 1.7q-.41.3-.9.52c-1.08.5-2.53.78-4.1.78s-3.02-.29-4.1-.78A5 5 0 0 1 5 6.7V15c0 .37.36.88 1.32 1.31.91.42 2.22.69 3.68.69s2.77-.27 3.68-.69c.96-.43 1.32-.94 1.32-1.31z"]);
var DocumentAddRegular = /*#__PURE__*/ createFluentIcon("DocumentAddRegular", "1em", ["M6 2a2 2 0 0 0-2 2v5.2q.49-.13 1-.18V4a1 1 0 0 1 1-1h4v3.5c0 .83.67 1.5 1.5 1.5H15v8a1 1 0 0 1-1 1h-3.6q-.27.54-.66 1H14a2 2 0 0 0 2-2V7.41c0-.4-.16-.78-.44-1.06l-3.91-3.91A1.5 1.5 0 0 0 10.59 2zm8.8 5h-3.3a.5.5 0 0 1-.5-.5V3.2zM10 14.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0m-4-2a.5.5 0 0 0-1 0V14H3.5a.5.5 0 0 0 0 1H5v1.5a.5.5 0 0 0 1 0V15h1.5a.5.5 0 0 0 0-1H6z"]);
var DocumentJavascriptRegular = /*#__PURE__*/ createFluentIcon("DocumentJavascriptRegular", "1em", ["M4 4c0-1.1.9-2 2-2h4.59q.62.01 1.06.44l3.91 3.91c.28.28.44.67.44 1.06V16a2 2 0 0 1-2 2H8.5q.34-.45.45-1H14a1 1 0 0 0 1-1V8h-3.5A1.5 1.5 0 0 1 10 6.5V3H6a1 1 0 0 0-1 1v7.5l-.23.2a1.5 1.5 0 0 0-.77-.61zm7.5 3h3.3L11 3.2v3.3c0 .28.22.5.5.5m-8 5a.5.5 0 0 0-.5.5v4a.5.5 0 0 1-1 0V16a.5.5 0 0 0-1 0v.5a1.5 1.5 0 0 0 3 0v-4a.5.5 0 0 0-.5-.5M5 13.5a1.5 1.5 0 0 1 3 0 .5.5 0 0 1-1 0 .5.5 0 0 0-1 0v.38q0 .3.28.45l.9.45c.5.25.82.77.82 1.34v.38a1.5 1.5 0 0 1-3 0 .5.5 0 0 1 1 0 .5.5 0 0 0 1 0v-.38a.5.5 0 0 0-.28-.45l-.9-.45A1.5 1.5 0 0 1 5 13.88z"]);
var AutosumRegular = /*#__PURE__*/ createFluentIcon("AutosumRegular", "1em", ["M4.04 3.8a.5.5 0 0 1 .46-.3h11a.5.5 0 1 1 0 1H5.67l4.56 4.73a.5.5 0 0 1 .02.67l-4.68 5.6h9.93a.5.5 0 1 1 0 1h-11a.5.5 0 0 1-.38-.82L9.2 9.6 4.14 4.35a.5.5 0 0 1-.1-.55"]);
var HourglassRegular = /*#__PURE__*/ createFluentIcon("HourglassRegular", "1em", ["M5.92 18q-.38 0-.72-.16-.35-.15-.62-.42A2 2 0 0 1 4 16.08a6 6 0 0 1 .5-2.3 5 5 0 0 1 1.44-1.88l1.82-1.52q.18-.15.18-.38a.5.5 0 0 0-.18-.38L5.94 8.09A5.3 5.3 0 0 1 4 3.92q0-.38.16-.72.15-.35.42-.62A2 2 0 0 1 5.92 2h8.16q.38 0 .72.16.35.15.62.42A2 2 0 0 1 16 3.92q0 1.24-.5 2.3a5 5 0 0 1-1.44 1.87l-1.82 1.53a.5.5 0 0 0 0 .77l1.82 1.5A5.4 5.4 0 0 1 16 16.09q0 .38-.16.72-.15.35-.42.62a2 2 0 0 1-1.34.58zm8.12-1a1 1 0 0 0 .68-.28q.15-.15.2-.3.06-.18.08-.38a4.3 4.3 0 0 0-1.58-3.37l-1.82-1.52a1.5 1.5 0 0 1-.54-1.15 1.5 1.5 0 0 1 .54-1.16l1.82-1.51A4.3 4.3 0 0 0 15 3.96a1 1 0 0 0-.28-.68 1 1 0 0 0-.3-.2q-.17-.06-.38-.08H5.96a1 1 0 0 0-.37.07 1 1 0 0 0-.3.21q-.15.15-.21.3-.07.18-.08.38a4.5 4.5 0 0 0 .9 2.67q.3.37.68.7L8.4 8.84q.25.21.4.52a1.5 1.5 0 0 1-.4 1.79l-1.82 1.52A4.3 4.3 0 0 0 5 16.04q0 .2.07.37.08.18.21.3.15.14.3.21.18.07.38.08z"]);
var SettingsRegular = /*#__PURE__*/ createFluentIcon("SettingsRegular", "1em", ["M1.91 7.38A8.5 8.5 0 0 1 3.7 4.3a.5.5 0 0 1 .54-.13l1.92.68a1 1 0 0 0 1.32-.76l.36-2a.5.5 0 0 1 .4-.4 9 9 0 0 1 3.55 0q.32.08.38.4l.37 2a1 1 0 0 0 1.32.76l1.92-.68a.5.5 0 0 1 .54.13 8.5 8.5 0 0 1 1.78 3.08q.08.31-.15.54l-1.56 1.32a1 1 0 0 0 0 1.52l1.56 1.32a.5.5 0 0 1 .15.54 8.5 8.5 0 0 1-1.78 3.08.5.5 0 0 1-.54.13l-1.92-.68a1 1 0 0 0-1.32.76l-.37 2a.5.5 0 0 1-.38.4 8.5 8.5 0 0 1-3.56 0 .5.5 0 0 1-.39-.4l-.36-2a1 1 0 0 0-1.32-.76l-1.92.68a.5.5 0 0 1-.54-.13 8.5 8.5 0 0 1-1.78-3.08.5.5 0 0 1 .15-.54l1.56-1.32a1 1 0 0 0 0-1.52L2.06 7.92a.5.5 0 0 1-.15-.54m1.06 0 1.3 1.1a2 2 0 0 1 0 3.04l-1.3 1.1q.45 1.19 1.25 2.16l1.6-.58a2 2 0 0 1 2.63 1.53l.3 1.67a8 8 0 0 0 2.5 0l.3-1.67a2 2 0 0 1 2.64-1.53l1.6.58a8 8 0 0 0 1.24-2.16l-1.3-1.1a2 2 0 0 1 0-3.04l1.3-1.1a8 8 0 0 0-1.25-2.16l-1.6.58a2 2 0 0 1-2.63-1.53l-.3-1.67a8 8 0 0 0-2.5 0l-.3 1.67A2 2 0 0 1 5.81 5.8l-1.6-.58a8 8 0 0 0-1.24 2.16M7.5 10a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0m1 0a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0"]);
var ServerRegular = /*#__PURE__*/ createFluentIcon("ServerRegular", "1em", ["M7.5 5a.5.5 0 0 0 0 1h5a.5.5 0 0 0 0-1zM7 12.5c0-.28.22-.5.5-.5h5a.5.5 0 0 1 0 1h-5a.5.5 0 0 1-.5-.5m.5 1.5a.5.5 0 0 0 0 1h5a.5.5 0 0 0 0-1zM5 4.5A2.5 2.5 0 0 1 7.5 2h5A2.5 2.5 0 0 1 15 4.5v11a2.5 2.5 0 0 1-2.5 2.5h-5A2.5 2.5 0 0 1 5 15.5zM7.5 3C6.67 3 6 3.67 6 4.5v11c0 .83.67 1.5 1.5 1.5h5c.83 0 1.5-.67 1.5-1.5v-11c0-.83-.67-1.5-1.5-1.5z"]);
var NextRegular = /*#__PURE__*/ createFluentIcon("NextRegular", "1em", ["M17 3.5a.5.5 0 0 0-1 0v13a.5.5 0 1 0 1 0zM3 4.25c0-1 1.12-1.6 1.95-1.04l8.5 5.71c.73.5.73 1.57 0 2.07l-8.5 5.8A1.25 1.25 0 0 1 3 15.75zm1.39-.2a.25.25 0 0 0-.39.2v11.5c0 .2.23.32.4.2l8.49-5.78a.25.25 0 0 0 0-.42z"]);
var NumberSymbolRegular = /*#__PURE__*/ createFluentIcon("NumberSymbolRegular", "1em", ["M8.99 2.6a.5.5 0 0 0-.98-.2L7.09 7H3.5a.5.5 0 1 0 0 1h3.39l-.8 4H2.5a.5.5 0 0 0 0 1h3.4L5 17.4a.5.5 0 1 0 .98.2l.92-4.6h5l-.9 4.4a.5.5 0 0 0 .98.2l.95-4.6h3.56a.5.5 0 0 0 0-1h-3.36l.82-4h3.54a.5.5 0 1 0 0-1h-3.33l.9-4.39a.5.5 0 1 0-.98-.2l-.95 4.6H8.11zM7.91 8h5.03l-.82 4h-5z"]);
var NumberSymbolSquareRegular = /*#__PURE__*/ createFluentIcon("NumberSymbolSquareRegular", "1em", ["M9.1 6.01a.5.5 0 0 1 .39.6L9.19 8h2.48L12 6.4a.5.5 0 0 1 .98.2l-.3 1.4h.81a.5.5 0 0 1 0 1h-1.02l-.43 2H13a.5.5 0 0 1 0 1h-1.17l-.34 1.6a.5.5 0 1 1-.98-.2l.3-1.4H8.33L8 13.6a.5.5 0 1 1-.98-.2l.3-1.4H6.5a.5.5 0 0 1 0-1h1.02l.43-2H7a.5.5 0 0 1 0-1h1.17l.34-1.6a.5.5 0 0 1 .6-.39M8.55 11h2.47l.43-2H8.98zM3 5.5A2.5 2.5 0 0 1 5.5 3h9A2.5 2.5 0 0 1 17 5.5v9a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 3 14.5zM5.5 4C4.67 4 4 4.67 4 5.5v9c0 .83.67 1.5 1.5 1.5h9c.83 0 1.5-.67 1.5-1.5v-9c0-.83-.67-1.5-1.5-1.5z"]);
var AlignBottomRegular = /*#__PURE__*/ createFluentIcon("AlignBottomRegular", "1em", ["M2 16.5c0 .28.22.5.5.5h15a.5.5 0 0 0 0-1h-15a.5.5 0 0 0-.5.5m9-3.5c0 1.1.9 2 2 2h1a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-1a2 2 0 0 0-2 2zm2 1a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1zm-7 1a2 2 0 0 1-2-2V5c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2zm-1-2a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V5a1 1 0 0 0-1-1H6a1 1 0 0 0-1 1z"]);
var AlignCenterHorizontalRegular = /*#__PURE__*/ createFluentIcon("AlignCenterHorizontalRegular", "1em", ["M18 9.5a.5.5 0 0 1-.5.5H16v2a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2v-2H9v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-4H2.5a.5.5 0 0 1 0-1H4V5c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v4h2V7c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v2h1.5c.28 0 .5.22.5.5M5 14a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V5a1 1 0 0 0-1-1H6a1 1 0 0 0-1 1zm7-2a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V7a1 1 0 0 0-1-1h-1a1 1 0 0 0-1 1z"]);
var AlignCenterVerticalRegular = /*#__PURE__*/ createFluentIcon("AlignCenterVerticalRegular", "1em", ["M10.5 18a.5.5 0 0 1-.5-.5V16H8a2 2 0 0 1-2-2v-1c0-1.1.9-2 2-2h2V9H6a2 2 0 0 1-2-2V6c0-1.1.9-2 2-2h4V2.5a.5.5 0 0 1 1 0V4h4a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2h-4v2h2a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2h-2v1.5a.5.5 0 0 1-.5.5M6 5a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1zm2 7a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h5a1 1 0 0 0 1-1v-1a1 1 0 0 0-1-1z"]);
var AlignLeftRegular = /*#__PURE__*/ createFluentIcon("AlignLeftRegular", "1em", ["M3.5 2a.5.5 0 0 0-.5.5v15a.5.5 0 0 0 1 0v-15a.5.5 0 0 0-.5-.5M7 11a2 2 0 0 0-2 2v1c0 1.1.9 2 2 2h5a2 2 0 0 0 2-2v-1a2 2 0 0 0-2-2zm-1 2a1 1 0 0 1 1-1h5a1 1 0 0 1 1 1v1a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1zM5 6c0-1.1.9-2 2-2h8a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1z"]);
var AlignRightRegular = /*#__PURE__*/ createFluentIcon("AlignRightRegular", "1em", ["M16.5 2c.28 0 .5.22.5.5v15a.5.5 0 0 1-1 0v-15c0-.28.22-.5.5-.5M13 11a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-1c0-1.1.9-2 2-2zm1 2a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h5a1 1 0 0 0 1-1zm1-7a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v1c0 1.1.9 2 2 2h8a2 2 0 0 0 2-2zm-2-1a1 1 0 0 1 1 1v1a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z"]);
var AlignSpaceEvenlyHorizontalRegular = /*#__PURE__*/ createFluentIcon("AlignSpaceEvenlyHorizontalRegular", "1em", ["M3 16a2 2 0 0 1-2-2V6c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2zm-1-2a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H3a1 1 0 0 0-1 1zm7 2a2 2 0 0 1-2-2V6c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2zm-1-2a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H9a1 1 0 0 0-1 1zm7 2a2 2 0 0 1-2-2V6c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2zm-1-2a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1h-1a1 1 0 0 0-1 1z"]);
var AlignSpaceEvenlyVerticalRegular = /*#__PURE__*/ createFluentIcon("AlignSpaceEvenlyVerticalRegular", "1em", [
	"M4 3c0-1.1.9-2 2-2h8a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V3a1 1 0 0 0-1-1z",
	"M4 15c0-1.1.9-2 2-2h8a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v1a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-1a1 1 0 0 0-1-1z",
	"M6 7a2 2 0 0 0-2 2v1c0 1.1.9 2 2 2h8a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2zM5 9a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v1a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1z"
]);
var AlignTopRegular = /*#__PURE__*/ createFluentIcon("AlignTopRegular", "1em", ["M2 3.5c0-.28.22-.5.5-.5h15a.5.5 0 0 1 0 1h-15a.5.5 0 0 1-.5-.5M11 7c0-1.1.9-2 2-2h1a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v5a1 1 0 0 0 1 1h1a1 1 0 0 0 1-1V7a1 1 0 0 0-1-1zM6 5a2 2 0 0 0-2 2v8c0 1.1.9 2 2 2h1a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zM5 7a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1z"]);
var HandRightRegular = /*#__PURE__*/ createFluentIcon("HandRightRegular", "1em", ["M4 12.02q0 1.6.6 3.08l.6 1.42c.22.55.64 1.01 1.17 1.29q.4.21.86.21h2.55c.77 0 1.49-.41 1.87-1.08.5-.87 1.02-1.7 1.72-2.43l1.32-1.39c.44-.46.97-.84 1.49-1.23l.59-.45a.6.6 0 0 0 .23-.47c0-.75-.54-1.57-1.22-1.79a3.3 3.3 0 0 0-2.78.29V4.5a1.5 1.5 0 0 0-2.05-1.4 1.5 1.5 0 0 0-2.9 0A1.5 1.5 0 0 0 6 4.5v.09A1.5 1.5 0 0 0 4 6zM8 4.5v4a.5.5 0 0 0 1 0v-5a.5.5 0 0 1 1 0v5a.5.5 0 0 0 1 0v-4a.5.5 0 0 1 1 0v6a.5.5 0 0 0 .85.37h.01q.31-.35.72-.58c.7-.35 2.22-.57 2.4.5l-.53.4c-.52.4-1.04.78-1.48 1.24l-1.33 1.38c-.75.79-1.31 1.7-1.85 2.63-.21.36-.6.58-1.01.58H7.23a1 1 0 0 1-.4-.1 1.6 1.6 0 0 1-.71-.78l-.59-1.42a7 7 0 0 1-.53-2.7V6a.5.5 0 0 1 1 0v3.5a.5.5 0 0 0 1 0v-5a.5.5 0 0 1 1 0"]);
var StopFilled = /*#__PURE__*/ createFluentIcon("StopFilled", "1em", ["M4.5 3C3.67 3 3 3.67 3 4.5v11c0 .83.67 1.5 1.5 1.5h11c.83 0 1.5-.67 1.5-1.5v-11c0-.83-.67-1.5-1.5-1.5z"]);
var StorageRegular = /*#__PURE__*/ createFluentIcon("StorageRegular", "1em", ["M13 9a1 1 0 1 1-2 0 1 1 0 0 1 2 0m2 1a1 1 0 1 0 0-2 1 1 0 0 0 0 2M2 8.5A2.5 2.5 0 0 1 4.5 6h11A2.5 2.5 0 0 1 18 8.5v3a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 2 11.5zM4.5 7C3.67 7 3 7.67 3 8.5v3c0 .83.67 1.5 1.5 1.5h11c.83 0 1.5-.67 1.5-1.5v-3c0-.83-.67-1.5-1.5-1.5z"]);
var TagMultipleRegular = /*#__PURE__*/ createFluentIcon("TagMultipleRegular", "1em", ["M13.5 6.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2M9.2 2.59A2 2 0 0 1 10.63 2h4.45a2 2 0 0 1 2 2v4.37a2 2 0 0 1-.59 1.43l-5.82 5.76a2 2 0 0 1-2.82-.01l-4.38-4.39a2 2 0 0 1 0-2.82zm1.42.41a1 1 0 0 0-.7.3L4.15 9.03a1 1 0 0 0 0 1.42l4.39 4.38a1 1 0 0 0 1.4 0l5.83-5.76a1 1 0 0 0 .3-.7V4a1 1 0 0 0-1-1zM3 11.8a2 2 0 0 0 .46 2.11l2.97 2.98a4 4 0 0 0 5.65.02l4.4-4.36a2 2 0 0 0 .6-1.43v-.57l-5 4.96-.15.13-.56.55a3 3 0 0 1-4.23 0l-.5-.5-.2-.2-2.98-2.98A2 2 0 0 1 3 11.8"]);
var AlertRegular = /*#__PURE__*/ createFluentIcon("AlertRegular", "1em", ["M10 2a5.9 5.9 0 0 1 5.98 5.36l.02.22v3.82l.92 2.22.06.17.01.08.01.13a1 1 0 0 1-.75.97l-.11.02L16 15h-3.5v.17a2.5 2.5 0 0 1-5 0V15H4l-.26-.03-.13-.04a1 1 0 0 1-.6-1.05l.02-.13.05-.13L4 11.4V7.57A5.9 5.9 0 0 1 10 2m1.5 13h-3v.15a1.5 1.5 0 0 0 1.36 1.34l.14.01c.78 0 1.42-.6 1.5-1.36zM10 3a4.9 4.9 0 0 0-4.98 4.38L5 7.6v3.9l-.04.2L4 14h12l-.96-2.3-.04-.2V7.61A4.9 4.9 0 0 0 10 3"]);
var CopyRegular = /*#__PURE__*/ createFluentIcon("CopyRegular", "1em", ["M7 7H5.5C4.67 7 4 7.67 4 8.5v6c0 .83.67 1.5 1.5 1.5h4c.65 0 1.2-.42 1.41-1h1.04a2.5 2.5 0 0 1-2.45 2h-4A2.5 2.5 0 0 1 3 14.5v-6A2.5 2.5 0 0 1 5.5 6H7zm7.5-4A2.5 2.5 0 0 1 17 5.5v6a2.5 2.5 0 0 1-2.5 2.5h-4A2.5 2.5 0 0 1 8 11.5v-6A2.5 2.5 0 0 1 10.5 3zm-4 1C9.67 4 9 4.67 9 5.5v6c0 .83.67 1.5 1.5 1.5h4c.83 0 1.5-.67 1.5-1.5v-6c0-.83-.67-1.5-1.5-1.5z"]);
var GlobeRegular = /*#__PURE__*/ createFluentIcon("GlobeRegular", "1em", ["M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16m0-15c.66 0 1.4.59 2.02 1.9q.33.71.56 1.6H7.42q.23-.89.56-1.6C8.59 3.6 9.34 3 10 3M7.07 4.49q-.4.9-.68 2.01H3.94A7 7 0 0 1 7.7 3.38q-.36.5-.64 1.1M6.2 7.5a16 16 0 0 0 0 5H3.46a7 7 0 0 1 0-5zm.2 6q.26 1.12.68 2.01.28.61.64 1.1a7 7 0 0 1-3.77-3.11zm1.03 0h5.16a9 9 0 0 1-.56 1.6C11.41 16.4 10.66 17 10 17s-1.4-.59-2.02-1.9q-.33-.71-.56-1.6m5.37-1H7.21a15 15 0 0 1 0-5h5.58a15 15 0 0 1 0 5m.82 1h2.45a7 7 0 0 1-3.77 3.12q.36-.5.64-1.1.4-.9.68-2.02m2.93-1h-2.73a16 16 0 0 0 0-5h2.73a7 7 0 0 1 0 5m-4.25-9.12a7 7 0 0 1 3.77 3.12h-2.45a11 11 0 0 0-.68-2.01q-.28-.61-.64-1.1"]);
var PlugConnectedRegular = /*#__PURE__*/ createFluentIcon("PlugConnectedRegular", "1em", ["M17.85 2.85a.5.5 0 0 0-.7-.7L14.48 4.8a4.04 4.04 0 0 0-5.33.34l-.3.3a1.5 1.5 0 0 0 0 2.1l3.6 3.6c.58.59 1.52.59 2.1 0l.3-.3a4.04 4.04 0 0 0 .34-5.33zm-4 7.6c-.2.19-.5.19-.7 0l-3.6-3.6c-.19-.2-.19-.5 0-.7l.3-.3a3.04 3.04 0 0 1 4.3 4.3zm-6.3-1.6a1.5 1.5 0 0 0-2.1 0l-.3.3a4.04 4.04 0 0 0-.34 5.33l-2.66 2.67a.5.5 0 0 0 .7.7l2.67-2.66a4.04 4.04 0 0 0 5.33-.34l.3-.3c.59-.58.59-1.52 0-2.1zm-1.4.7c.2-.19.5-.19.7 0l3.6 3.6c.19.2.19.5 0 .7l-.3.3a3.04 3.04 0 1 1-4.3-4.3z"]);
var PlugDisconnectedRegular = /*#__PURE__*/ createFluentIcon("PlugDisconnectedRegular", "1em", ["M17.85 2.15c.2.2.2.5 0 .7L16.2 4.52a4.04 4.04 0 0 1-.34 5.33l-.3.3-.3.31c-.42.41-1.08.41-1.5 0L9.55 6.24a1.05 1.05 0 0 1 0-1.48l.6-.61a4.04 4.04 0 0 1 5.34-.34l1.67-1.66c.2-.2.5-.2.7 0m-2.71 2.7a3.04 3.04 0 0 0-4.29 0l-.3.3c-.19.2-.19.5 0 .7l3.6 3.6c.2.19.5.19.7 0l.3-.3a3.04 3.04 0 0 0 0-4.29zm-5.79 3.8c.2.2.2.5 0 .7L7.71 11 9 12.3l1.65-1.65a.5.5 0 0 1 .7.7L9.71 13l.44.45c.59.58.59 1.52 0 2.1l-.3.3a4.04 4.04 0 0 1-5.33.34l-1.67 1.66a.5.5 0 0 1-.7-.7l1.66-1.67a4.04 4.04 0 0 1 .34-5.33l.3-.3a1.5 1.5 0 0 1 2.1 0l.45.44 1.65-1.64c.2-.2.5-.2.7 0m-4.5 6.5a3.04 3.04 0 0 0 4.3 0l.3-.3c.19-.2.19-.5 0-.7l-3.6-3.6c-.2-.19-.5-.19-.7 0l-.3.3a3.04 3.04 0 0 0 0 4.3"]);
var WarningFilled = /*#__PURE__*/ createFluentIcon("WarningFilled", "1em", ["M7.37 3.56a3 3 0 0 1 5.26 0l5.5 10A3 3 0 0 1 15.5 18h-11a3 3 0 0 1-2.63-4.44zM10 12.75a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5m0-6.25a.5.5 0 0 0-.5.5v4a.5.5 0 0 0 1 0V7a.5.5 0 0 0-.5-.5"]);
var SaveRegular = /*#__PURE__*/ createFluentIcon("SaveRegular", "1em", ["M3 5c0-1.1.9-2 2-2h8.38a2 2 0 0 1 1.41.59l1.62 1.62A2 2 0 0 1 17 6.62V15a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1v-4.5c0-.83.67-1.5 1.5-1.5h7c.83 0 1.5.67 1.5 1.5V16a1 1 0 0 0 1-1V6.62a1 1 0 0 0-.3-.7L14.1 4.28a1 1 0 0 0-.71-.29H13v2.5c0 .83-.67 1.5-1.5 1.5h-4A1.5 1.5 0 0 1 6 6.5V4zm2 0v2.5c0 .28.22.5.5.5h4a.5.5 0 0 0 .5-.5V4zm7 12v-4.5a.5.5 0 0 0-.5-.5h-7a.5.5 0 0 0-.5.5V16z"]);
var TriangleRegular = /*#__PURE__*/ createFluentIcon("TriangleRegular", "1em", ["M2.5 18a1.5 1.5 0 0 1-1.32-2.2l7.4-14a1.5 1.5 0 0 1 2.64-.02l7.6 14A1.5 1.5 0 0 1 17.5 18zm-.44-1.73a.5.5 0 0 0 .44.73h15a.5.5 0 0 0 .44-.74l-7.6-14a.5.5 0 0 0-.89 0z"]);
var InfoFilled = /*#__PURE__*/ createFluentIcon("InfoFilled", "1em", ["M18 10a8 8 0 1 0-16 0 8 8 0 0 0 16 0M9.5 8.91a.5.5 0 0 1 1 0v4.69a.5.5 0 0 1-1 0V8.9m-.25-2.16a.75.75 0 1 1 1.5 0 .75.75 0 0 1-1.5 0"]);
var InfoRegular = /*#__PURE__*/ createFluentIcon("InfoRegular", "1em", ["M10.5 8.91a.5.5 0 0 0-1 .09v4.6a.5.5 0 0 0 1-.1V8.91m.3-2.16a.75.75 0 1 0-1.5 0 .75.75 0 0 0 1.5 0M18 10a8 8 0 1 0-16 0 8 8 0 0 0 16 0M3 10a7 7 0 1 1 14 0 7 7 0 0 1-14 0"]);
var SignOutRegular = /*#__PURE__*/ createFluentIcon("SignOutRegular", "1em", ["M8.5 11.25a.75.75 0 1 0 0-1.5.75.75 0 0 0 0 1.5M11 3.5a.5.5 0 0 0-.58-.5l-7 1.08a.5.5 0 0 0-.42.49v10.86c0 .25.18.46.42.5l7 1.07a.5.5 0 0 0 .58-.5V10h5.17l-1 .87a.5.5 0 0 0 .66.76l2-1.75a.5.5 0 0 0 0-.76l-2-1.75a.5.5 0 1 0-.65.76l1 .87H11zm-1 .58v11.84L4 15V5zM12.5 16H12v-5h1v4.5a.5.5 0 0 1-.5.5M12 8V4h.5c.28 0 .5.22.5.5V8z"]);
var AddRegular = /*#__PURE__*/ createFluentIcon("AddRegular", "1em", ["M10 2.5c.28 0 .5.22.5.5v6.5H17a.5.5 0 0 1 0 1h-6.5V17a.5.5 0 0 1-1 0v-6.5H3a.5.5 0 0 1 0-1h6.5V3c0-.28.22-.5.5-.5"]);
var BugRegular = /*#__PURE__*/ createFluentIcon("BugRegular", "1em", ["M9 2.5a.5.5 0 0 0-1 0V3q.01.6.32 1.08A3 3 0 0 0 6 7h-.5A1.5 1.5 0 0 1 4 5.5v-2a.5.5 0 0 0-1 0v2A2.5 2.5 0 0 0 5.5 8H6v1.5H2.5a.5.5 0 0 0 0 1H6V12h-.5A2.5 2.5 0 0 0 3 14.5v2a.5.5 0 0 0 1 0v-2c0-.83.67-1.5 1.5-1.5H6a4 4 0 0 0 8 0h.5c.83 0 1.5.67 1.5 1.5v2a.5.5 0 0 0 1 0v-2a2.5 2.5 0 0 0-2.5-2.5H14v-1.5h3.5a.5.5 0 0 0 0-1H14V8h.5A2.5 2.5 0 0 0 17 5.5v-2a.5.5 0 0 0-1 0v2c0 .83-.67 1.5-1.5 1.5H14a3 3 0 0 0-2.32-2.92A2 2 0 0 0 12 3v-.5a.5.5 0 0 0-1 0V3a1 1 0 1 1-2 0zM13 7v6a3 3 0 1 1-6 0V7c0-1.1.9-2 2-2h2a2 2 0 0 1 2 2"]);
var DarkThemeRegular = /*#__PURE__*/ createFluentIcon("DarkThemeRegular", "1em", ["M10 3a7 7 0 1 1 0 14zm0-1a8 8 0 1 0 0 16 8 8 0 0 0 0-16"]);
var GaugeRegular = /*#__PURE__*/ createFluentIcon("GaugeRegular", "1em", ["M12.47 5.06a.5.5 0 0 1-.65.28 5 5 0 0 0-5.36 8.2.5.5 0 1 1-.7.7 6 6 0 0 1 6.42-9.83c.26.1.39.39.29.65m2.47 2.47a.5.5 0 0 1 .65.29 6 6 0 0 1-1.35 6.42.5.5 0 1 1-.7-.7 5 5 0 0 0 1.12-5.36.5.5 0 0 1 .28-.65m-.85-1.71a.5.5 0 0 0-.64-.01l-.18.14L9.3 9.2q-.22.19-.34.33a1.5 1.5 0 1 0 2.28 1.95l.27-.4.38-.62a124 124 0 0 0 2.2-3.82l.12-.2a.5.5 0 0 0-.11-.62M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16m0-1a7 7 0 1 1 0-14 7 7 0 0 1 0 14"]);
var PlayFilled = /*#__PURE__*/ createFluentIcon("PlayFilled", "1em", ["M17.22 8.68a1.5 1.5 0 0 1 0 2.63l-10 5.5A1.5 1.5 0 0 1 5 15.5v-11A1.5 1.5 0 0 1 7.22 3.2z"]);
var ImageRegular = /*#__PURE__*/ createFluentIcon("ImageRegular", "1em", ["M14 7.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0m-1 0a.5.5 0 1 0-1 0 .5.5 0 0 0 1 0M3 6a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zm3-2a2 2 0 0 0-2 2v8q0 .56.28 1.02l4.67-4.59a1.5 1.5 0 0 1 2.1 0l4.67 4.59Q16 14.56 16 14V6a2 2 0 0 0-2-2zm0 12h8a2 2 0 0 0 1.01-.27l-4.66-4.58a.5.5 0 0 0-.7 0l-4.66 4.58A2 2 0 0 0 6 16"]);
var RenameRegular = /*#__PURE__*/ createFluentIcon("RenameRegular", "1em", ["M11.5 2a.5.5 0 0 1 0 1h-1v14h1a.5.5 0 0 1 0 1h-3a.5.5 0 0 1 0-1h1V3h-1a.5.5 0 0 1 0-1zm-3 3H5a2 2 0 0 0-2 2v6c0 1.1.9 2 2 2h3.5v1H5a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3h3.5zM15 4a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-3.5v-1H15a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2h-3.5V4z"]);
var CircleFilled = /*#__PURE__*/ createFluentIcon("CircleFilled", "1em", ["M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16"]);
var CursorClickRegular = /*#__PURE__*/ createFluentIcon("CursorClickRegular", "1em", ["M7.5 2c.28 0 .5.22.5.5v2a.5.5 0 0 1-1 0v-2c0-.28.22-.5.5-.5M3.61 3.61c.2-.2.51-.2.7 0l1.42 1.42a.5.5 0 1 1-.7.7L3.6 4.32a.5.5 0 0 1 0-.7m7.78 0c.2.2.2.51 0 .7L9.97 5.74a.5.5 0 1 1-.7-.7l1.41-1.42c.2-.2.51-.2.7 0M2 7.5c0-.28.22-.5.5-.5h2a.5.5 0 0 1 0 1h-2a.5.5 0 0 1-.5-.5m6.64-.2A1 1 0 0 0 7 8.07v9.1a1 1 0 0 0 1.75.66l2.03-2.32c.28-.32.7-.51 1.13-.51h3.2a1 1 0 0 0 .65-1.77zM8 17.17v-9.1L15.12 14H11.9c-.72 0-1.4.31-1.88.85z"]);
var EditRegular = /*#__PURE__*/ createFluentIcon("EditRegular", "1em", ["M17.18 2.93a2.97 2.97 0 0 0-4.26-.06l-9.37 9.38q-.5.5-.66 1.2l-.88 3.94a.5.5 0 0 0 .6.6l3.93-.87c.46-.1.9-.34 1.23-.68l9.36-9.36a2.97 2.97 0 0 0 .05-4.15m-3.55.65a1.97 1.97 0 1 1 2.8 2.8l-.68.66-2.8-2.79zm-1.38 1.38 2.8 2.8-7.99 7.97q-.31.31-.74.41l-3.16.7.7-3.18q.1-.41.4-.7z"]);
var ToggleRightRegular = /*#__PURE__*/ createFluentIcon("ToggleRightRegular", "1em", ["M14 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4M2 10a4 4 0 0 1 4-4h8a4 4 0 0 1 0 8H6a4 4 0 0 1-4-4m4-3a3 3 0 0 0 0 6h8a3 3 0 1 0 0-6z"]);
var ClockRegular = /*#__PURE__*/ createFluentIcon("ClockRegular", "1em", ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m0 1a7 7 0 1 0 0 14 7 7 0 0 0 0-14m-.5 2a.5.5 0 0 1 .5.41V10h2.5a.5.5 0 0 1 .09 1H9.5a.5.5 0 0 1-.5-.41V5.5c0-.28.22-.5.5-.5"]);
var CloudRegular = /*#__PURE__*/ createFluentIcon("CloudRegular", "1em", ["M10 4c2.82 0 4.41 1.92 4.65 4.25h.07A3.33 3.33 0 0 1 18 11.62 3.33 3.33 0 0 1 14.72 15H5.28A3.33 3.33 0 0 1 2 11.62c0-1.8 1.37-3.27 3.1-3.37h.25C5.6 5.9 7.18 4 10 4m0 1C7.89 5 6.55 6.32 6.35 8.35a1 1 0 0 1-1 .9h-.07A2.33 2.33 0 0 0 3 11.62 2.33 2.33 0 0 0 5.28 14h9.44A2.33 2.33 0 0 0 17 11.62a2.33 2.33 0 0 0-2.28-2.37h-.07a1 1 0 0 1-1-.9C13.45 6.32 12.11 5 10 5"]);
var CloudSwapRegular = /*#__PURE__*/ createFluentIcon("CloudSwapRegular", "1em", ["M10 4c2.82 0 4.41 1.92 4.65 4.25h.07A3.33 3.33 0 0 1 18 11.62q0 .58-.17 1.09l-.84-.84.01-.25a2.33 2.33 0 0 0-2.28-2.37h-.07a1 1 0 0 1-1-.9C13.45 6.32 12.11 5 10 5S6.55 6.32 6.35 8.35a1 1 0 0 1-1 .9h-.07A2.33 2.33 0 0 0 3 11.62 2.33 2.33 0 0 0 5.28 14h2.8a1.5 1.5 0 0 0 0 1h-2.8A3.33 3.33 0 0 1 2 11.62c0-1.8 1.37-3.27 3.1-3.37h.25C5.6 5.9 7.18 4 10 4m1.85 8.85a.5.5 0 0 0-.7-.7l-2 2a.5.5 0 0 0 0 .7l2 2a.5.5 0 0 0 .7-.7L10.71 15h5.58l-1.14 1.15a.5.5 0 0 0 .7.7l2-2a.5.5 0 0 0 0-.7l-2-2a.5.5 0 0 0-.7.7L16.29 14h-5.58z"]);
var FlashRegular = /*#__PURE__*/ createFluentIcon("FlashRegular", "1em", ["M6.2 2.77C6.31 2.31 6.73 2 7.2 2h5.25c.73 0 1.24.71 1 1.4L12.22 7h2.56c.95 0 1.4 1.14.77 1.81l-8.68 8.86c-.76.79-2.06.06-1.8-1L6.23 12H4.96c-.7 0-1.21-.68-1.02-1.36zM7.2 3a.1.1 0 0 0-.06.05L4.9 10.92q0 .07.06.08h1.91a.5.5 0 0 1 .49.62l-1.33 5.3v.04l.03.03.04.01h.01l.03-.02 8.68-8.86.01-.03v-.05l-.03-.03-.03-.01H11.5a.5.5 0 0 1-.47-.67l1.5-4.25a.06.06 0 0 0-.07-.08z"]);
var HistoryRegular = /*#__PURE__*/ createFluentIcon("HistoryRegular", "1em", ["M10 4a6 6 0 1 1-5.98 5.54.5.5 0 1 0-1-.08L3 10a7 7 0 1 0 2-4.9V3.5a.5.5 0 0 0-1 0v3c0 .28.22.5.5.5h3a.5.5 0 0 0 0-1H5.53c1.1-1.23 2.7-2 4.47-2m0 2.5a.5.5 0 0 0-1 0v4c0 .28.22.5.5.5h3a.5.5 0 0 0 0-1H10z"]);
var WindowNewRegular = /*#__PURE__*/ createFluentIcon("WindowNewRegular", "1em", ["M14 3a3 3 0 0 1 3 3v6a3 3 0 0 1-2.13 2.87A3 3 0 0 1 12 17H7.5A4.5 4.5 0 0 1 3 12.5V8a3 3 0 0 1 2.13-2.87A3 3 0 0 1 8 3zM5 6.27A2 2 0 0 0 4 8v4.5A3.5 3.5 0 0 0 7.5 16H12a2 2 0 0 0 1.73-1H8a3 3 0 0 1-3-3zM8 4a2 2 0 0 0-2 2v6c0 1.1.9 2 2 2h6a2 2 0 0 0 2-2V6a2 2 0 0 0-2-2zm5.5 2c.28 0 .5.22.5.5v4a.5.5 0 0 1-1 0V7.7l-4.15 4.15a.5.5 0 1 1-.7-.7L12.29 7H9.5a.5.5 0 0 1 0-1z"]);
var LightbulbRegular = /*#__PURE__*/ createFluentIcon("LightbulbRegular", "1em", ["M10 2c3.31 0 6 2.6 6 5.8q-.01 2.53-2.2 4.6a1 1 0 0 0-.15.2l-.02.09-.94 3.92a1.8 1.8 0 0 1-1.67 1.38l-.15.01H9.13c-.82 0-1.54-.52-1.78-1.26l-.04-.14-.93-3.91a.6.6 0 0 0-.17-.3A6.3 6.3 0 0 1 4 8.04L4 7.8v-.2A5.9 5.9 0 0 1 10 2m2.05 13h-4.1l.32 1.33.03.1c.1.3.38.52.71.56l.12.01h1.81a.9.9 0 0 0 .75-.53l.03-.1zM10 3a4.9 4.9 0 0 0-4.98 4.41L5 7.63V8q.08 1.95 1.9 3.67.27.27.4.64l.05.15.37 1.54h4.57l.38-1.61.05-.16q.13-.32.39-.56Q15 9.87 15 7.8A4.9 4.9 0 0 0 10 3"]);
var ArrowBidirectionalUpDownRegular = /*#__PURE__*/ createFluentIcon("ArrowBidirectionalUpDownRegular", "1em", ["M6.35 7.35a.5.5 0 1 1-.7-.7l3.5-3.5c.2-.2.5-.2.7 0l3.5 3.5a.5.5 0 0 1-.7.7L10 4.71v10.58l2.65-2.64a.5.5 0 0 1 .7.7l-3.5 3.5a.5.5 0 0 1-.7 0l-3.5-3.5a.5.5 0 0 1 .7-.7L9 15.29V4.71z"]);
var ArrowCounterclockwiseRegular = /*#__PURE__*/ createFluentIcon("ArrowCounterclockwiseRegular", "1em", ["M16 10A6 6 0 0 0 5.53 6H7.5a.5.5 0 0 1 0 1h-3a.5.5 0 0 1-.5-.5v-3a.5.5 0 0 1 1 0v1.6a7 7 0 1 1-1.98 4.36.5.5 0 0 1 1 .08L4 10a6 6 0 0 0 12 0"]);
var ArrowDownRegular = /*#__PURE__*/ createFluentIcon("ArrowDownRegular", "1em", ["M16.87 10.84a.5.5 0 1 0-.74-.68l-5.63 6.17V2.5a.5.5 0 0 0-1 0v13.83l-5.63-6.17a.5.5 0 0 0-.74.68l6.31 6.91a.75.75 0 0 0 1.11 0z"]);
var ArrowDownloadRegular = /*#__PURE__*/ createFluentIcon("ArrowDownloadRegular", "1em", ["M15.5 17a.5.5 0 0 1 .09 1H4.5a.5.5 0 0 1-.09-1H15.5M10 2a.5.5 0 0 1 .5.41V14.3l3.64-3.65a.5.5 0 0 1 .64-.06l.07.06c.17.17.2.44.06.63l-.06.07-4.5 4.5a.5.5 0 0 1-.25.14L10 16a.5.5 0 0 1-.4-.2l-4.46-4.45a.5.5 0 0 1 .64-.76l.07.06 3.65 3.64V2.5c0-.27.22-.5.5-.5"]);
var ArrowRedoRegular = /*#__PURE__*/ createFluentIcon("ArrowRedoRegular", "1em", ["M15 2.5a.5.5 0 0 1 1 0v4.9a.6.6 0 0 1-.6.6h-4.9a.5.5 0 0 1 0-1h3.6l-3.48-3.02a4 4 0 1 0-5.24 6.04l8.17 7.1a.5.5 0 1 1-.66.76l-8.17-7.1a5 5 0 1 1 6.56-7.55L15 6.46z"], { flipInRtl: true });
var ArrowStepInRegular = /*#__PURE__*/ createFluentIcon("ArrowStepInRegular", "1em", ["M10 15a1 1 0 1 0 0 2 1 1 0 0 0 0-2m-2 1a2 2 0 1 1 4 0 2 2 0 0 1-4 0m2-14c.28 0 .5.22.5.5v7.8l3.15-3.15a.5.5 0 0 1 .7.7l-4 4a.5.5 0 0 1-.7 0l-4-4a.5.5 0 1 1 .7-.7l3.15 3.14V2.5c0-.28.22-.5.5-.5"]);
var ArrowStepOutRegular = /*#__PURE__*/ createFluentIcon("ArrowStepOutRegular", "1em", ["M10 15a1 1 0 1 0 0 2 1 1 0 0 0 0-2m-2 1a2 2 0 1 1 4 0 2 2 0 0 1-4 0m2-4a.5.5 0 0 0 .5-.5V3.7l3.15 3.15a.5.5 0 0 0 .7-.7l-4-4a.5.5 0 0 0-.7 0l-4 4a.5.5 0 1 0 .7.7L9.5 3.71v7.79c0 .28.22.5.5.5"]);
var ArrowStepOverRegular = /*#__PURE__*/ createFluentIcon("ArrowStepOverRegular", "1em", ["M12.15 3.15a.5.5 0 0 0 0 .7L15.29 7H10a8 8 0 0 0-6.94 4.04.5.5 0 1 0 .88.5A7 7 0 0 1 10 8h5.3l-3.15 3.15a.5.5 0 1 0 .7.7l3.99-3.98a.5.5 0 0 0 .01-.72l-4-4a.5.5 0 0 0-.7 0M12 15a2 2 0 1 0-4 0 2 2 0 0 0 4 0m-2-1a1 1 0 1 1 0 2 1 1 0 0 1 0-2"], { flipInRtl: true });
var ArrowSyncRegular = /*#__PURE__*/ createFluentIcon("ArrowSyncRegular", "1em", ["M11.41 3.64a.5.5 0 0 0 0-.71L9.3.8a.5.5 0 0 0-.7.7l1 1a7.5 7.5 0 0 0-4.08 13.5.5.5 0 0 0 .6-.8A6.5 6.5 0 0 1 10.14 3.5L8.59 5.04a.5.5 0 0 0 .7.7zM8.6 16.36a.5.5 0 0 0 0 .71l2.12 2.12a.5.5 0 0 0 .7-.7l-1-1a7.5 7.5 0 0 0 4.07-13.5.5.5 0 1 0-.59.8q.37.28.7.61a6.5 6.5 0 0 1-4.73 11.1l1.55-1.55a.5.5 0 1 0-.7-.7z"], { flipInRtl: true });
var ArrowUndoRegular = /*#__PURE__*/ createFluentIcon("ArrowUndoRegular", "1em", ["M5 2.5a.5.5 0 0 0-1 0v4.9c0 .33.27.6.6.6h4.9a.5.5 0 0 0 0-1H5.9l3.48-3.02a4 4 0 0 1 5.25 6.04l-8.17 7.1a.5.5 0 0 0 .65.76l8.17-7.1a5 5 0 0 0-6.56-7.55L5 6.46z"], { flipInRtl: true });
var ArrowUpRegular = /*#__PURE__*/ createFluentIcon("ArrowUpRegular", "1em", ["M3.13 9.16a.5.5 0 1 0 .74.68L9.5 3.67V17.5a.5.5 0 1 0 1 0V3.67l5.63 6.17a.5.5 0 0 0 .74-.68l-6.32-6.92a.75.75 0 0 0-1.1 0z"], { flipInRtl: true });
var ArrowUploadRegular = /*#__PURE__*/ createFluentIcon("ArrowUploadRegular", "1em", ["M15 3a.5.5 0 0 0 .09-.99H4a.5.5 0 0 0-.09.98L4 3zM9.5 18a.5.5 0 0 0 .5-.41V5.7l3.64 3.65c.17.18.44.2.64.06l.07-.06a.5.5 0 0 0 .06-.63l-.06-.07-4.5-4.5A.5.5 0 0 0 9.6 4h-.1a.5.5 0 0 0-.4.19L4.64 8.65a.5.5 0 0 0 .64.76l.07-.06L9 5.71V17.5c0 .28.22.5.5.5"]);
var PauseRegular = /*#__PURE__*/ createFluentIcon("PauseRegular", "1em", ["M5 2a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h2a2 2 0 0 0 2-2V4a2 2 0 0 0-2-2zM4 4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zm9-2a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h2a2 2 0 0 0 2-2V4a2 2 0 0 0-2-2zm-1 2a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1z"]);
var PulseRegular = /*#__PURE__*/ createFluentIcon("PulseRegular", "1em", ["M7 3a.5.5 0 0 1 .48.37l3.05 11.3 2.5-8.31a.5.5 0 0 1 .94-.04L15.35 10h2.15a.5.5 0 0 1 0 1H15a.5.5 0 0 1-.47-.32l-.98-2.62-2.57 8.58a.5.5 0 0 1-.96-.01L6.99 5.37l-1.5 5.27A.5.5 0 0 1 5 11H2.5a.5.5 0 0 1 0-1h2.12l1.9-6.64A.5.5 0 0 1 7 3"]);
var PreviousRegular = /*#__PURE__*/ createFluentIcon("PreviousRegular", "1em", ["M3 3.5a.5.5 0 0 1 1 0v13a.5.5 0 0 1-1 0zm14 .75c0-1-1.12-1.6-1.95-1.04l-8.5 5.71c-.73.5-.73 1.57 0 2.07l8.5 5.8c.83.56 1.95-.03 1.95-1.04zm-1.39-.2c.17-.12.39 0 .39.2v11.5c0 .2-.22.32-.4.2l-8.49-5.78a.25.25 0 0 1 0-.42z"]);
var TextTRegular = /*#__PURE__*/ createFluentIcon("TextTRegular", "1em", ["M4 3.5c0-.28.22-.5.5-.5h10c.28 0 .5.22.5.5v2a.5.5 0 0 1-1 0V4h-4v12h1.5a.5.5 0 0 1 0 1h-4a.5.5 0 0 1 0-1H9V4H5v1.5a.5.5 0 0 1-1 0z"]);
var TextboxRegular = /*#__PURE__*/ createFluentIcon("TextboxRegular", "1em", ["M6.5 6a.5.5 0 0 0 0 1h7a.5.5 0 0 0 0-1zM6 9.5c0-.28.22-.5.5-.5h4a.5.5 0 0 1 0 1h-4a.5.5 0 0 1-.5-.5m.5 2.5a.5.5 0 0 0 0 1h7a.5.5 0 0 0 0-1zM17 5.5A2.5 2.5 0 0 0 14.5 3h-9A2.5 2.5 0 0 0 3 5.5v9A2.5 2.5 0 0 0 5.5 17h9a2.5 2.5 0 0 0 2.5-2.5zM5.5 4h9c.83 0 1.5.67 1.5 1.5v9c0 .83-.67 1.5-1.5 1.5h-9A1.5 1.5 0 0 1 4 14.5v-9C4 4.67 4.67 4 5.5 4"]);
var CheckmarkFilled = /*#__PURE__*/ createFluentIcon("CheckmarkFilled", "1em", ["M7.03 13.9 3.56 10a.75.75 0 0 0-1.12 1l4 4.5c.29.32.79.34 1.09.03l10.5-10.5a.75.75 0 0 0-1.06-1.06z"]);
var CheckmarkCircleFilled = /*#__PURE__*/ createFluentIcon("CheckmarkCircleFilled", "1em", ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m3.36 5.65a.5.5 0 0 0-.64-.06l-.07.06L9 11.3 7.35 9.65l-.07-.06a.5.5 0 0 0-.7.7l.07.07 2 2 .07.06c.17.11.4.11.56 0l.07-.06 4-4 .07-.08a.5.5 0 0 0-.06-.63"]);
var ChevronDownRegular = /*#__PURE__*/ createFluentIcon("ChevronDownRegular", "1em", ["M15.85 7.65c.2.2.2.5 0 .7l-5.46 5.49a.55.55 0 0 1-.78 0L4.15 8.35a.5.5 0 1 1 .7-.7L10 12.8l5.15-5.16c.2-.2.5-.2.7 0"]);
var ChevronLeftFilled = /*#__PURE__*/ createFluentIcon("ChevronLeftFilled", "1em", ["M12.27 15.8a.75.75 0 0 1-1.06-.03l-5-5.25a.75.75 0 0 1 0-1.04l5-5.25a.75.75 0 1 1 1.08 1.04L7.8 10l4.5 4.73c.29.3.28.78-.02 1.06"]);
var ChevronLeftRegular = /*#__PURE__*/ createFluentIcon("ChevronLeftRegular", "1em", ["M12.35 15.85a.5.5 0 0 1-.7 0L6.16 10.4a.55.55 0 0 1 0-.78l5.49-5.46a.5.5 0 1 1 .7.7L7.2 10l5.16 5.15c.2.2.2.5 0 .7"]);
var ChevronRightFilled = /*#__PURE__*/ createFluentIcon("ChevronRightFilled", "1em", ["M7.73 4.2a.75.75 0 0 1 1.06.03l5 5.25c.28.3.28.75 0 1.04l-5 5.25a.75.75 0 1 1-1.08-1.04L12.2 10l-4.5-4.73a.75.75 0 0 1 .02-1.06"]);
var ChevronRightRegular = /*#__PURE__*/ createFluentIcon("ChevronRightRegular", "1em", ["M7.65 4.15c.2-.2.5-.2.7 0l5.49 5.46c.21.22.21.57 0 .78l-5.49 5.47a.5.5 0 0 1-.7-.71L12.8 10 7.65 4.85a.5.5 0 0 1 0-.7"]);
var PositionToBackRegular = /*#__PURE__*/ createFluentIcon("PositionToBackRegular", "1em", ["M12 14c0-1.1.9-2 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v3a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-3a1 1 0 0 0-1-1zM5 9v3.5A2.5 2.5 0 0 0 7.5 15H11v-1H9.7l1.67-1.66q.36-.61.97-.97L14 9.7V11h1V7.5A2.5 2.5 0 0 0 12.5 5H9v1h1.3L8.62 7.66q-.36.61-.97.97L6 10.3V9zm6.7-3h.8q.35 0 .65.15l-7 7A2 2 0 0 1 6 12.5v-.8zm-4.2 8a2 2 0 0 1-.65-.15l7-7q.15.3.15.65v.8L8.3 14zM1 3c0-1.1.9-2 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2zm2-1a1 1 0 0 0-1 1v3a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1V3a1 1 0 0 0-1-1z"]);
var PositionToFrontRegular = /*#__PURE__*/ createFluentIcon("PositionToFrontRegular", "1em", ["M3 1a2 2 0 0 0-2 2v3c0 1.1.9 2 2 2h1v-.5q0-.26.04-.5H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v1.04Q7.24 4 7.5 4H8V3a2 2 0 0 0-2-2zm9 16v-1h.5q.26 0 .5-.04V17a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-3a1 1 0 0 0-1-1h-1.04q.04-.24.04-.5V12h1a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2M5 7.5A2.5 2.5 0 0 1 7.5 5h5A2.5 2.5 0 0 1 15 7.5v5a2.5 2.5 0 0 1-2.5 2.5h-5A2.5 2.5 0 0 1 5 12.5zm2.28-1.48a1.5 1.5 0 0 0-1.26 1.26zM6 10.29 10.3 6H8.7L6 8.7zM11.7 6 6 11.7v.8q0 .35.15.65l7-7A2 2 0 0 0 12.5 6zm-4.2 8h.8L14 8.3v-.8q0-.35-.15-.65l-7 7q.3.15.65.15m2.2 0h1.6l2.7-2.7V9.7zm3.02-.02a1.5 1.5 0 0 0 1.26-1.26z"]);
var TimerRegular = /*#__PURE__*/ createFluentIcon("TimerRegular", "1em", ["M7.5 2a.5.5 0 0 0 0 1h4a.5.5 0 0 0 0-1zm7.66 1.93a.5.5 0 1 0-.71.7l1.41 1.42a.5.5 0 1 0 .71-.7zM9.5 6a.5.5 0 0 0-.5.5v5a.5.5 0 0 0 1 0v-5a.5.5 0 0 0-.5-.5m0 12a7 7 0 1 0 0-14 7 7 0 0 0 0 14m0-1a6 6 0 1 1 0-12 6 6 0 0 1 0 12"]);
var BeakerRegular = /*#__PURE__*/ createFluentIcon("BeakerRegular", "1em", ["M14 3a.5.5 0 0 1 0 1h-1v4.68q0 .88.42 1.66l2.4 4.45A1.5 1.5 0 0 1 14.5 17h-9a1.5 1.5 0 0 1-1.32-2.21l2.4-4.44a3.5 3.5 0 0 0 .41-1.66V4H6a.5.5 0 0 1 0-1zM8 4v4.69a4.5 4.5 0 0 1-.54 2.13L6.82 12h6.36l-.64-1.18A4.5 4.5 0 0 1 12 8.68V4zm5.72 9H6.28l-1.22 2.26a.5.5 0 0 0 .44.74h9a.5.5 0 0 0 .44-.74z"]);
var BuildingFactoryRegular = /*#__PURE__*/ createFluentIcon("BuildingFactoryRegular", "1em", ["M4.44 2a1.5 1.5 0 0 0-1.5 1.4l-.87 13a1.5 1.5 0 0 0 1.5 1.6h2.86a1.5 1.5 0 0 0 1.5-1.6l-.87-13A1.5 1.5 0 0 0 5.56 2zm-.5 1.47a.5.5 0 0 1 .5-.47h1.12c.27 0 .49.2.5.47l.87 13a.5.5 0 0 1-.5.53H3.57a.5.5 0 0 1-.5-.53zM16.5 18H8.43q.34-.45.45-1H10v-4a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4h.5a.5.5 0 0 0 .5-.5V6.62l-4.17 3.75A.5.5 0 0 1 12 10V6.62L8.49 9.78 8.4 8.51l3.76-3.38a.5.5 0 0 1 .84.37v3.38l4.16-3.75a.5.5 0 0 1 .84.37v11c0 .83-.67 1.5-1.5 1.5M11 17h4v-4h-4z"]);
var ErrorCircleFilled = /*#__PURE__*/ createFluentIcon("ErrorCircleFilled", "1em", ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m0 10.5a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5M10 6a.5.5 0 0 0-.5.41v4.68a.5.5 0 0 0 1 0V6.41A.5.5 0 0 0 10 6"]);
var DeleteRegular = /*#__PURE__*/ createFluentIcon("DeleteRegular", "1em", ["M8.5 4h3a1.5 1.5 0 0 0-3 0m-1 0a2.5 2.5 0 0 1 5 0h5a.5.5 0 0 1 0 1h-1.05l-1.2 10.34A3 3 0 0 1 12.27 18H7.73a3 3 0 0 1-2.98-2.66L3.55 5H2.5a.5.5 0 0 1 0-1zM5.74 15.23A2 2 0 0 0 7.73 17h4.54a2 2 0 0 0 1.99-1.77L15.44 5H4.56zM8.5 7.5c.28 0 .5.22.5.5v6a.5.5 0 0 1-1 0V8c0-.28.22-.5.5-.5M12 8a.5.5 0 0 0-1 0v6a.5.5 0 0 0 1 0z"]);
var DiagramRegular = /*#__PURE__*/ createFluentIcon("DiagramRegular", "1em", ["M5 2a3 3 0 0 0-3 3v9a3 3 0 0 0 3 3h.82l.9-1H5a2 2 0 0 1-2-2V5c0-1.1.9-2 2-2h8a2 2 0 0 1 2 2v5.03q.54.1 1 .4V5a3 3 0 0 0-3-3zm1.5 9a.5.5 0 0 0-.37.83L8.94 15l-2.81 3.17a.5.5 0 0 0 .37.83h8.1c.38 0 .76-.15 1.04-.42l3.13-3.04c.3-.3.3-.78 0-1.08l-3.13-3.04a1.5 1.5 0 0 0-1.05-.42zm3.34 3.5L7.6 12h6.98a.5.5 0 0 1 .35.14L17.9 15l-2.95 2.86a.5.5 0 0 1-.35.14H7.61l2.23-2.5a.75.75 0 0 0 0-1M5 5.5c0-.28.22-.5.5-.5h7a.5.5 0 0 1 0 1h-7a.5.5 0 0 1-.5-.5M5.5 8a.5.5 0 0 0 0 1h4a.5.5 0 0 0 0-1z"]);
var DiamondDismissFilled = /*#__PURE__*/ createFluentIcon("DiamondDismissFilled", "1em", ["M7.88 1.88a3 3 0 0 1 4.24 0l6 6a3 3 0 0 1 0 4.24l-6 6a3 3 0 0 1-4.24 0l-6-6a3 3 0 0 1 0-4.24zM13.1 6.9a.5.5 0 0 0-.7 0L10 9.3 7.6 6.9a.5.5 0 0 0-.7.7L9.3 10l-2.4 2.4a.5.5 0 0 0 .7.7l2.4-2.4 2.4 2.4a.5.5 0 0 0 .7-.7L10.7 10l2.4-2.4a.5.5 0 0 0 0-.7"]);
var DismissRegular = /*#__PURE__*/ createFluentIcon("DismissRegular", "1em", ["m4.09 4.22.06-.07a.5.5 0 0 1 .63-.06l.07.06L10 9.29l5.15-5.14a.5.5 0 0 1 .63-.06l.07.06c.18.17.2.44.06.63l-.06.07L10.71 10l5.14 5.15c.18.17.2.44.06.63l-.06.07a.5.5 0 0 1-.63.06l-.07-.06L10 10.71l-5.15 5.14a.5.5 0 0 1-.63.06l-.07-.06a.5.5 0 0 1-.06-.63l.06-.07L9.29 10 4.15 4.85a.5.5 0 0 1-.06-.63l.06-.07z"]);
var DismissCircleFilled = /*#__PURE__*/ createFluentIcon("DismissCircleFilled", "1em", ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16M7.8 7.11a.5.5 0 0 0-.63.06l-.06.07a.5.5 0 0 0 .06.64L9.3 10l-2.12 2.12-.06.07a.5.5 0 0 0 .06.64l.07.06c.2.13.47.11.64-.06L10 10.7l2.12 2.12.07.06c.2.13.46.11.64-.06l.06-.07a.5.5 0 0 0-.06-.64L10.7 10l2.12-2.12.06-.07a.5.5 0 0 0-.06-.64l-.07-.06a.5.5 0 0 0-.64.06L10 9.3 7.88 7.17z"]);
var FolderRegular = /*#__PURE__*/ createFluentIcon("FolderRegular", "1em", ["M4.5 3A2.5 2.5 0 0 0 2 5.5v9A2.5 2.5 0 0 0 4.5 17h11a2.5 2.5 0 0 0 2.5-2.5v-7A2.5 2.5 0 0 0 15.5 5H9.7L8.23 3.51A1.8 1.8 0 0 0 6.98 3zM3 5.5C3 4.67 3.67 4 4.5 4h2.48q.32 0 .53.22L8.8 5.5 7.44 6.85a.5.5 0 0 1-.35.15H3zM3 8h4.09c.4 0 .78-.16 1.06-.44L9.7 6h5.79c.83 0 1.5.67 1.5 1.5v7c0 .83-.67 1.5-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z"]);
var FolderAddRegular = /*#__PURE__*/ createFluentIcon("FolderAddRegular", "1em", ["M4.5 3A2.5 2.5 0 0 0 2 5.5v9A2.5 2.5 0 0 0 4.5 17h5.1q-.24-.48-.4-1H4.5A1.5 1.5 0 0 1 3 14.5V8h4.09c.4 0 .78-.16 1.06-.44L9.7 6h5.79c.83 0 1.5.67 1.5 1.5v2.1q.54.27 1 .66V7.5A2.5 2.5 0 0 0 15.5 5H9.7L8.23 3.51A1.8 1.8 0 0 0 6.98 3zM3 5.5C3 4.67 3.67 4 4.5 4h2.48q.32 0 .53.22L8.8 5.5 7.44 6.85a.5.5 0 0 1-.35.15H3zm16 9a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0m-4-2a.5.5 0 0 0-1 0V14h-1.5a.5.5 0 0 0 0 1H14v1.5a.5.5 0 0 0 1 0V15h1.5a.5.5 0 0 0 0-1H15z"]);
var QuestionCircleRegular = /*#__PURE__*/ createFluentIcon("QuestionCircleRegular", "1em", ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m0 1a7 7 0 1 0 0 14 7 7 0 0 0 0-14m0 10.5a.75.75 0 1 1 0 1.5.75.75 0 0 1 0-1.5m0-8a2.5 2.5 0 0 1 1.65 4.38l-.15.12-.22.17-.09.07-.16.15c-.33.36-.53.85-.53 1.61a.5.5 0 0 1-1 0 3.2 3.2 0 0 1 1.16-2.62l.25-.19.12-.1A1.5 1.5 0 0 0 10 6.5c-.83 0-1.5.67-1.5 1.5a.5.5 0 0 1-1 0A2.5 2.5 0 0 1 10 5.5"]);
var Warning12Filled = /*#__PURE__*/ createFluentIcon("Warning12Filled", "12", ["M4.28 1.97a2 2 0 0 1 3.43 0l3 5A2 2 0 0 1 9 10H3A2 2 0 0 1 1.3 6.98zM6 6.75a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5M6 3.5a.5.5 0 0 0-.5.5v1.5a.5.5 0 0 0 1 0V4a.5.5 0 0 0-.5-.5"]);
var Checkmark12Filled = /*#__PURE__*/ createFluentIcon("Checkmark12Filled", "12", ["M9.76 3.2c.3.29.32.76.04 1.06l-4.25 4.5a.75.75 0 0 1-1.08.02L2.22 6.53a.75.75 0 0 1 1.06-1.06l1.7 1.7L8.7 3.24a.75.75 0 0 1 1.06-.04"]);
var Checkmark16Filled = /*#__PURE__*/ createFluentIcon("Checkmark16Filled", "16", ["M14.05 3.49c.28.3.27.77-.04 1.06l-7.93 7.47A.85.85 0 0 1 4.9 12L2.22 9.28a.75.75 0 1 1 1.06-1.06l2.24 2.27 7.47-7.04a.75.75 0 0 1 1.06.04"]);
var CheckmarkCircle12Filled = /*#__PURE__*/ createFluentIcon("CheckmarkCircle12Filled", "12", ["M1 6a5 5 0 1 1 10 0A5 5 0 0 1 1 6m7.35-.9a.5.5 0 1 0-.7-.7L5.5 6.54 4.35 5.4a.5.5 0 1 0-.7.7l1.5 1.5c.2.2.5.2.7 0z"]);
var Square12Filled = /*#__PURE__*/ createFluentIcon("Square12Filled", "12", ["M2 4c0-1.1.9-2 2-2h4a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2z"]);
var Square16Filled = /*#__PURE__*/ createFluentIcon("Square16Filled", "16", ["M2 4.5A2.5 2.5 0 0 1 4.5 2h7A2.5 2.5 0 0 1 14 4.5v7a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 2 11.5z"]);
var DiamondDismiss12Filled = /*#__PURE__*/ createFluentIcon("DiamondDismiss12Filled", "12", ["M4.59 1.09a2 2 0 0 1 2.82 0l3.5 3.5a2 2 0 0 1 0 2.82l-3.5 3.5a2 2 0 0 1-2.82 0l-3.5-3.5a2 2 0 0 1 0-2.83zm3.26 3.06a.5.5 0 0 0-.7 0L6 5.29 4.85 4.15a.5.5 0 0 0-.7.7L5.29 6 4.15 7.15a.5.5 0 0 0 .7.7L6 6.71l1.15 1.14a.5.5 0 1 0 .7-.7L6.71 6l1.14-1.15a.5.5 0 0 0 0-.7"]);
var Dismiss20Regular = /*#__PURE__*/ createFluentIcon("Dismiss20Regular", "20", ["m4.09 4.22.06-.07a.5.5 0 0 1 .63-.06l.07.06L10 9.29l5.15-5.14a.5.5 0 0 1 .63-.06l.07.06c.18.17.2.44.06.63l-.06.07L10.71 10l5.14 5.15c.18.17.2.44.06.63l-.06.07a.5.5 0 0 1-.63.06l-.07-.06L10 10.71l-5.15 5.14a.5.5 0 0 1-.63.06l-.07-.06a.5.5 0 0 1-.06-.63l.06-.07L9.29 10 4.15 4.85a.5.5 0 0 1-.06-.63l.06-.07z"]);
var useBundledIconStyles = __styles({
	root: { mc9l5x: "fjseox" },
	visible: { mc9l5x: "f1w7gpdv" }
}, { d: [".fjseox{display:none;}", ".f1w7gpdv{display:inline;}"] });
/**
*
* Combine the Regular and Filled versions of icons
* Could be used to toggle between them on hover.
*/
var bundleIcon = (FilledIcon, RegularIcon) => {
	const Component = (props) => {
		const { className, filled, ...rest } = props;
		const styles = useBundledIconStyles();
		return React.createElement(React.Fragment, null, React.createElement(FilledIcon, Object.assign({}, rest, { className: mergeClasses(styles.root, filled && styles.visible, iconFilledClassName, className) })), React.createElement(RegularIcon, Object.assign({}, rest, { className: mergeClasses(styles.root, !filled && styles.visible, iconRegularClassName, className) })));
	};
	Component.displayName = "CompoundIcon";
	return Component;
};
export { AddRegular, AlertRegular, AlignBottomRegular, AlignCenterHorizontalRegular, AlignCenterVerticalRegular, AlignLeftRegular, AlignRightRegular, AlignSpaceEvenlyHorizontalRegular, AlignSpaceEvenlyVerticalRegular, AlignTopRegular, ArrowBidirectionalUpDownRegular, ArrowCounterclockwiseRegular, ArrowDownRegular, ArrowDownloadRegular, ArrowRedoRegular, ArrowStepInRegular, ArrowStepOutRegular, ArrowStepOverRegular, ArrowSyncRegular, ArrowUndoRegular, ArrowUpRegular, ArrowUploadRegular, AutosumRegular, BeakerRegular, BugRegular, BuildingFactoryRegular, CalculatorRegular, Checkmark12Filled, Checkmark16Filled, CheckmarkCircle12Filled, CheckmarkCircleFilled, CheckmarkFilled, ChevronDownRegular, ChevronLeftFilled, ChevronLeftRegular, ChevronRightFilled, ChevronRightRegular, CircleFilled, ClockRegular, CloudRegular, CloudSwapRegular, CodeRegular, CopyRegular, CursorClickRegular, DarkThemeRegular, DataHistogramRegular, DataLineRegular, DataScatterRegular, DataTrendingRegular, DatabaseRegular, DeleteRegular, DiagramRegular, DiamondDismiss12Filled, DiamondDismissFilled, Dismiss20Regular, DismissCircleFilled, DismissRegular, DocumentAddRegular, DocumentJavascriptRegular, EditRegular, ErrorCircleFilled, FlashRegular, FolderAddRegular, FolderRegular, GaugeRegular, GlobeRegular, HandRightRegular, HistoryRegular, HourglassRegular, IconDirectionContextProvider, ImageRegular, InfoFilled, InfoRegular, LightbulbRegular, NextRegular, NumberSymbolRegular, NumberSymbolSquareRegular, PauseRegular, PlayFilled, PlugConnectedRegular, PlugDisconnectedRegular, PositionToBackRegular, PositionToFrontRegular, PreviousRegular, PulseRegular, QuestionCircleRegular, RenameRegular, SaveRegular, SearchRegular, ServerRegular, SettingsRegular, SignOutRegular, Square12Filled, Square16Filled, StopFilled, StorageRegular, TableRegular, TagMultipleRegular, TextTRegular, TextboxRegular, TimerRegular, ToggleRightRegular, TriangleRegular, Warning12Filled, WarningFilled, WindowNewRegular, bundleIcon, iconFilledClassName, iconRegularClassName };
