// Something that can happen, and who wants to know.

export class Signal<T> {
    private readonly listeners: ((value: T) => void)[] = [];

    on(listener: (value: T) => void): void {
        this.listeners.push(listener);
    }

    emit(value: T): void {
        for (const listener of this.listeners) listener(value);
    }
}
