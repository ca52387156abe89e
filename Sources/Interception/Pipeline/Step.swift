/// An interceptor's place in a pipeline.
///
/// A class, because passing a reference is cheaper than copying an `any Interceptor`. Its properties are
/// constants of an object that the call retains, so a step does not retain them.
@usableFromInline
final class Step: Sendable {
  @usableFromInline let interceptor: any Interceptor
  /// The following step, or nil if the dispatcher is next.
  @usableFromInline let next: Step?
  /// The interceptor's name, as errors use it.
  let name: String
  /// How often the interceptor calls `next`, as its traits declare.
  let callsNext: InterceptorTraits.NextCalls
  /// Whether the pipeline has a departure behind this step.
  let precedesDeparture: Bool
  /// Whether the step is the pipeline's own departure.
  let isDeparture: Bool
  /// The step, as events report it.
  let event: PipelineEvent.Step

  init(
    _ interceptor: any Interceptor, name: String, traits: InterceptorTraits, precedesDeparture: Bool,
    next: Step?
  ) {
    self.interceptor = interceptor
    self.next = next
    self.name = name
    callsNext = traits.callsNext
    isDeparture = interceptor is DepartureInterceptor
    self.precedesDeparture = precedesDeparture
    event = .interceptor(name, traits.stage)
  }
}
