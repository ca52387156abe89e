/// An interceptor's place in a pipeline.
///
/// A class, because a reference is passed on at less cost than a copy of an `any Interceptor`. Its properties
/// are constants of an object that a call retains, so a step retains none of them.
@usableFromInline
final class Step: Sendable {
  @usableFromInline let interceptor: any Interceptor
  /// The step after this one; nil where the dispatcher is next.
  @usableFromInline let next: Step?
  /// The interceptor's name, as errors use it.
  let name: String
  /// The step, as observers are told of it.
  let event: PipelineEvent.Step

  init(_ interceptor: any Interceptor, name: String, stage: Stage, next: Step?) {
    self.interceptor = interceptor
    self.next = next
    self.name = name
    event = .interceptor(name, stage)
  }
}
