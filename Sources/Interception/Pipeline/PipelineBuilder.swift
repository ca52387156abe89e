/// Lists the interceptors of a pipeline, one a line, with `if`, `for` and optionals where they are needed.
@resultBuilder
public enum PipelineBuilder {
  /// Takes an interceptor.
  public static func buildExpression(_ interceptor: any Interceptor) -> [any Interceptor] { [interceptor] }

  /// Takes an interceptor that may be missing.
  public static func buildExpression(_ interceptor: (any Interceptor)?) -> [any Interceptor] {
    interceptor.map { [$0] } ?? []
  }

  /// Takes a list of interceptors.
  public static func buildExpression(_ interceptors: [any Interceptor]) -> [any Interceptor] { interceptors }

  /// Joins the lines.
  public static func buildBlock(_ parts: [any Interceptor]...) -> [any Interceptor] { parts.flatMap(\.self) }

  /// Takes the result of an `if` without `else`.
  public static func buildOptional(_ part: [any Interceptor]?) -> [any Interceptor] { part ?? [] }

  /// Takes the first branch of an `if`.
  public static func buildEither(first part: [any Interceptor]) -> [any Interceptor] { part }

  /// Takes the second branch of an `if`.
  public static func buildEither(second part: [any Interceptor]) -> [any Interceptor] { part }

  /// Joins what a `for` loop lists.
  public static func buildArray(_ parts: [[any Interceptor]]) -> [any Interceptor] { parts.flatMap(\.self) }
}
