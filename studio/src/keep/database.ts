// IndexedDB, with promises.

export function result<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

// When the transaction is written. Fails when it was given up, and then nothing of it was done.
export function done(transaction: IDBTransaction): Promise<void> {
    const end = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new DOMException('', 'AbortError'));
    });
    end.catch(() => {}); // whoever waits for one of its requests has heard of it
    return end;
}

export async function openDatabase(name: string, stores: string[]): Promise<IDBDatabase> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store));
    const database = await result(request);
    database.onversionchange = () => database.close();
    return database;
}
