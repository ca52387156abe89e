/// An interceptor's place in a pipeline.
///
/// It is an object, since a copy of an interceptor costs more than a reference to it. Its constants are lent to a step
/// that suspends, while an element of an array would be counted up before the step and down after it.
@usableFromInline
final class Link: Sendable {
  @usableFromInline let interceptor: any Interceptor
  /// The place further in; nil where the dispatcher is next.
  @usableFromInline let next: Link?
  /// Whether nobody reads its answers as bytes.
  @usableFromInline let isPlain: Bool
  let name: String
  let stage: Stage
  /// The most bytes of its answer, where the interceptor before it reads them.
  let answerLimit: Int?

  init(interceptor: any Interceptor, name: String, stage: Stage, answerLimit: Int?, next: Link?) {
    self.interceptor = interceptor
    self.name = name
    self.stage = stage
    self.answerLimit = answerLimit
    self.next = next
    isPlain = answerLimit == nil
  }
}
