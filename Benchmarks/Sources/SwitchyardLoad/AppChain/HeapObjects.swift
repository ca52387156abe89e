/// Counts what each request allocates.
public enum HeapObjects {
  /// Returns the heap objects per request, from the difference between a longer and a shorter load.
  ///
  /// The first run of `load` is a warm-up.
  ///
  /// - Parameters:
  ///   - requests: The requests of the shorter load; the longer one has three times as many.
  ///   - counter: Returns how many objects the process has allocated so far.
  ///   - load: Sends as many requests.
  public static func perRequest(
    requests: Int, counter: () -> UInt64, _ load: (Int) async throws -> Void
  ) async throws -> Double {
    try await load(requests)
    let start = counter()
    try await load(requests)
    let middle = counter()
    try await load(requests * 3)
    let end = counter()
    return (Double(end - middle) - Double(middle - start)) / Double(requests * 2)
  }
}
