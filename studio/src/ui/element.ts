// The few lines that stand where others put a framework.

export type Child = Node | string | null | false | undefined;

type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };

export type Properties = Handlers & {
    class?: string;
    // Attributes as they stand in HTML; false and undefined leave one out, true is an empty one.
    [attribute: string]: unknown;
};

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === false || value === null) continue;
        if (name.startsWith('on') && typeof value === 'function') {
            element.addEventListener(name.slice(2), value as EventListener);
        } else {
            element.setAttribute(name, value === true ? '' : String(value));
        }
    }
    append(element, children);
    return element;
}

export function append(parent: Node, children: Child[]): void {
    for (const child of children) {
        if (child) parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
    }
}

export function clear(parent: Node, ...children: Child[]): void {
    while (parent.firstChild) parent.removeChild(parent.firstChild);
    append(parent, children);
}

// The text changes only when it is another one: a status line is written sixty times a second.
export function setText(element: HTMLElement, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

export function setClass(element: HTMLElement, name: string, on: boolean): void {
    element.classList.toggle(name, on);
}
