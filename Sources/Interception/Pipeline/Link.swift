/// An interceptor's place in a pipeline.
///
/// It is an object, since a copy of an interceptor costs more than a reference to it.
final class Link: Sendable {
  let interceptor: any Interceptor
  let name: String
  let stage: Stage

  init(interceptor: any Interceptor, name: String, stage: Stage) {
    self.interceptor = interceptor
    self.name = name
    self.stage = stage
  }
}
