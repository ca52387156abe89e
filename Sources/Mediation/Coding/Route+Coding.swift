extension Route where Self: Decodable {
  /// Reads each property from the placeholder of the same name.
  public init(from input: RouteInput) throws(RouteError) {
    do {
      self = try Self(from: RouteDecoder(input: input))
    } catch let error as RouteError {
      throw error
    } catch {
      throw .failed(error)
    }
  }

  /// Reads the route from sample values, which tells the table the route's properties.
  public static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? {
    { input throws(RouteError) in _ = try Self(from: input) }
  }
}

extension Route where Self: Encodable {
  /// Writes each property to the placeholder of the same name; a property that is nil is left out.
  public func write(to output: inout RouteOutput) {
    let encoder = RouteEncoder()
    do {
      try encode(to: encoder)
    } catch let error as RouteError {
      output.fault = error
    } catch {
      output.fault = .failed(error)
    }
    if let fault = encoder.output.fault { output.fault = fault }
    for (name, texts) in encoder.output.texts { output.set(name, toRest: texts) }
  }
}

// A route without placeholders writes and reads nothing, whether it is Codable or not.
extension ParameterlessRoute where Self: Decodable {
  /// Creates the only value.
  public init(from input: RouteInput) throws(RouteError) { self.init() }

  /// Nil: there are no properties to check.
  public static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? { nil }
}

extension ParameterlessRoute where Self: Encodable {
  /// Writes nothing.
  public func write(to output: inout RouteOutput) {}
}
