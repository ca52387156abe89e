/// A result builder that lists the interceptors of a pipeline, one per line, with `if`, `for` and optionals.
@resultBuilder
public enum PipelineBuilder {
  /// Adds an interceptor unless it is nil.
  public static func buildExpression(_ interceptor: (any Interceptor)?) -> [any Interceptor] {
    interceptor.map { [$0] } ?? []
  }

  /// Adds a list of interceptors.
  public static func buildExpression(_ interceptors: [any Interceptor]) -> [any Interceptor] { interceptors }

  /// Concatenates the lines.
  public static func buildBlock(_ parts: [any Interceptor]...) -> [any Interceptor] { parts.flatMap(\.self) }

  /// Adds the result of an `if` without `else`.
  public static func buildOptional(_ part: [any Interceptor]?) -> [any Interceptor] { part ?? [] }

  /// Adds the first branch of an `if`.
  public static func buildEither(first part: [any Interceptor]) -> [any Interceptor] { part }

  /// Adds the second branch of an `if`.
  public static func buildEither(second part: [any Interceptor]) -> [any Interceptor] { part }

  /// Concatenates the iterations of a `for` loop.
  public static func buildArray(_ parts: [[any Interceptor]]) -> [any Interceptor] { parts.flatMap(\.self) }
}
