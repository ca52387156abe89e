extension Reformer {
  /// Returns a reformer that converts the output of this one further.
  ///
  /// ```swift
  /// let cheapest = ListItems().map { items in items.min { $0.price < $1.price } }
  /// ```
  ///
  /// - Parameter transform: Converts an output. It may throw any error, as a reformer may.
  public func map<Value>(
    _ transform: @escaping (Output) throws -> Value
  ) -> some Reformer<Value> {
    ComposedReformer(first: self) { output, _, _ in try transform(output) }
  }

  /// Returns a reformer that passes the response and the output of this one to a closure.
  ///
  /// Use it where the second conversion depends on the manager or on the header fields as well:
  ///
  /// ```swift
  /// let page = ListItems().then { items, response, manager in
  ///   Page(title: manager.name ?? "all", items: items, isStored: response.isFromCache)
  /// }
  /// ```
  public func then<Value>(
    _ convert: @escaping (Output, APIResponse, ManagerIdentity) throws -> Value
  ) -> some Reformer<Value> {
    ComposedReformer(first: self, second: convert)
  }
}

/// A reformer followed by a further conversion.
private struct ComposedReformer<First: Reformer, Output>: Reformer {
  let first: First
  let second: (First.Output, APIResponse, ManagerIdentity) throws -> Output

  func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Output {
    try second(try first.reform(response, from: manager), response, manager)
  }
}
