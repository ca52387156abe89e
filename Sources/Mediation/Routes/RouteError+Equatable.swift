extension RouteError: Equatable {
  /// Compares two errors.
  ///
  /// Errors that a route's code threw are equal if they have the same type and are equal by that type's `==`;
  /// if the type is not `Equatable`, if they have the same description.
  public static func == (left: RouteError, right: RouteError) -> Bool {
    switch (left, right) {
    case (.malformedURL(let one), .malformedURL(let other)): one == other
    case (.notFound(let url, let nearest), .notFound(let otherURL, let otherNearest)):
      url == otherURL && nearest == otherNearest
    case (.forbidden(let url, let origin), .forbidden(let otherURL, let otherOrigin)):
      url == otherURL && origin == otherOrigin
    case (.parameter(let name, let reason), .parameter(let otherName, let otherReason)):
      name == otherName && reason == otherReason
    case (.rejected(let id, let reason), .rejected(let otherID, let otherReason)):
      id == otherID && reason == otherReason
    case (.overdue(let id, let limit), .overdue(let otherID, let otherLimit)):
      id == otherID && limit == otherLimit
    case (.linkDropped(let limit), .linkDropped(let other)): limit == other
    case (.redirectLoop(let trail), .redirectLoop(let other)): trail == other
    case (.dismissed, .dismissed), (.cancelled, .cancelled): true
    case (.resultMismatch(let expected, let got), .resultMismatch(let otherExpected, let otherGot)):
      expected == otherExpected && got == otherGot
    case (.failed(let error), .failed(let other)): isSame(error, other)
    default: false
    }
  }

  private static func isSame(_ left: any Error, _ right: any Error) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    return String(reflecting: left) == String(reflecting: right)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, to right: any Error) -> Bool {
    right as? Value == left
  }
}
