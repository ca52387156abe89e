import Synchronization

/// Records the properties that a `Decodable` route reads, while it reads sample values.
///
/// Nothing but the route's own `Decodable` code knows its properties, so it is run once for each pattern.
final class RouteProbe: Sendable {
  /// What a property accepts.
  enum Values: Hashable {
    /// Any text.
    case any
    /// Every text of a kind.
    case kind(RoutePattern.ValueKind)
    /// Texts that only the type itself knows.
    case own
  }

  /// What is known about a property.
  struct Property {
    var isOptional = false
    var isList = false
    var values = Values.own
    /// A text of the placeholder's enumeration that the type does not accept.
    var refusedText: String?
  }

  private struct State {
    var isUsed = false
    var properties: [(name: String, property: Property)] = []
    var failure: RouteError?
  }

  /// The maximum number of elements that a list reads from the samples.
  static let maximumElements = 16

  private let pattern: RoutePattern
  private let state = Mutex(State())

  init(_ pattern: RoutePattern) { self.pattern = pattern }

  /// Whether the route decodes itself; a route that reads its parameters by itself does not use the probe.
  var isUsed: Bool { state.withLock { $0.isUsed } }

  /// The properties in the order in which they were read.
  var properties: [(name: String, property: Property)] { state.withLock { $0.properties } }

  /// The latest error of the coder, as opposed to an error of the route's own code.
  var failure: RouteError? { state.withLock { $0.failure } }

  func use() { state.withLock { $0.isUsed = true } }

  /// Records an error of the coder and returns it.
  func fail(_ error: any Error) -> any Error {
    if let error = error as? RouteError { state.withLock { $0.failure = error } }
    return error
  }

  func update(_ name: String, _ change: (inout Property) -> Void) {
    state.withLock { state in
      let index = state.properties.firstIndex { $0.name == name }
      if index == nil { state.properties.append((name, Property())) }
      change(&state.properties[index ?? state.properties.count - 1].property)
    }
  }

  /// Returns a value of a property's type, and records what the type accepts.
  ///
  /// It takes the type as a value: the compiler would make a copy of what follows for each type of a coder's
  /// container, and it runs once for each property of a pattern.
  ///
  /// - Parameter property: Has the sample of the placeholder as its text if the value must be read from it;
  ///   without a text, any value of the type will do.
  @inline(never)
  func value(of type: any Decodable.Type, for property: PropertyDecoder) throws -> any Decodable {
    try value(type, of: property)
  }

  private func value<Value: Decodable>(_ type: Value.Type, of property: PropertyDecoder) throws -> Value {
    let name = property.name
    // Recorded before the value is read, so that the property is known if that fails.
    update(name) { if type is any ExpressibleByNilLiteral.Type { $0.isOptional = true } }
    if let texts = EnumerationTexts.all(of: type), let value = EnumerationTexts.first(of: type) {
      update(name) { $0.values = .kind(.oneOf(texts)) }
      return value
    }
    let sample = property.reading([pattern.kind(of: name)?.sample ?? RoutePattern.ValueKind.text.sample])
    if let kind = Self.kind(of: type) {
      // A type that tries several types in turn must find the one that reads the sample.
      let isFree = property.texts.isEmpty && kind != .text
      let source = isFree ? property.reading([kind == .double ? "1" : kind.sample]) : sample
      guard let value = try source.convert(to: type) else { throw unreadable(name, type, sample) }
      update(name) { $0.values = kind == .text ? .any : .kind(kind) }
      return value
    }
    if let type = type as? any RouteValue.Type {
      update(name) { $0.values = .own }
      let source = type.routeSample.map { property.reading([$0]) } ?? sample
      guard let value = try? source.convert(to: Value.self) else { throw unreadable(name, type, source) }
      return value
    }
    if !property.texts.isEmpty { return try sample.decode(type) }
    if let value = try? sample.decode(type) { return value }
    // The type does not accept the sample; a value of any text tells what it accepts instead.
    do {
      return try property.decode(type)
    } catch RouteError.parameter(let name, let reason, _) where reason.isUnreadable {
      throw unreadable(name, type, sample)
    }
  }

  /// Checks that a type which is not an enumeration itself accepts every text of its placeholder's
  /// enumeration.
  func checkTexts<Value: Decodable>(of type: Value.Type, _ name: String) {
    guard let texts = pattern.kind(of: name)?.texts,
      let property = properties.first(where: { $0.name == name })?.property,
      property.values == .own
        || property.values == .any
    else { return }
    let refused = texts.first { (try? PropertyDecoder(name: name, texts: [$0]).value(type)) == nil }
    update(name) { $0.refusedText = refused }
  }

  private func unreadable(_ name: String, _ type: Any.Type, _ source: PropertyDecoder) -> RouteError {
    .parameter(
      name: name,
      reason: .refused(
        "\(type) cannot be read from the sample \"\(source.texts.first ?? "")\"; declare the placeholder's "
          + "kind, make an enumeration CaseIterable, or conform the type to RouteValue with a routeSample"))
  }

  /// The kind whose texts a type of the standard library accepts.
  private static func kind(of type: Any.Type) -> RoutePattern.ValueKind? {
    switch type {
    case is String.Type: .text
    case is Bool.Type: .bool
    case is Double.Type, is Float.Type: .double
    case is any FixedWidthInteger.Type: .int
    default: nil
    }
  }
}

/// The texts of a `CaseIterable` type whose values each have one.
enum EnumerationTexts {
  /// The maximum number of cases; a type with more is treated like any other type.
  static let maximumCount = 256

  /// Returns the texts of all cases, by raw value or route text; nil for a type that has no such cases.
  static func all(of type: Any.Type) -> [String]? {
    guard let type = type as? any CaseIterable.Type, let cases = cases(of: type) else { return nil }
    var texts: [String] = []
    for value in cases {
      guard let text = text(of: value) else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Returns the first case of a type.
  static func first<Value>(of type: Value.Type) -> Value? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return cases(of: type)?.first as? Value
  }

  private static func cases<Value: CaseIterable>(of type: Value.Type) -> [Any]? {
    // `allCases` may be any collection, such as the range of all integers, whose count overflows.
    var cases: [Any] = []
    for value in Value.allCases {
      if cases.count == maximumCount { return nil }
      cases.append(value)
    }
    return cases.isEmpty ? nil : cases
  }

  private static func text(of value: Any) -> String? {
    if let value = value as? any RouteValue { return value.routeText }
    guard let value = value as? any RawRepresentable else { return nil }
    switch value.rawValue as Any {
    case let raw as String: return raw
    case let raw as any FixedWidthInteger: return raw.description
    default: return nil
    }
  }
}
