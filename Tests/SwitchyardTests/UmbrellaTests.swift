import Switchyard
import Testing

@Suite("import Switchyard")
struct UmbrellaTests {
  @Test("The module exports every part of the library that most apps need, and HTTPTypes")
  func parts() {
    let names = [
      "\(Pipeline.self)", "\(CurlDispatcher.self)", "\(ServiceAddress.self)", "\(Mediator.self)",
      "\(NavigationState.self)", "\(RedirectTables.self)",
      "\(ValidationInterceptor.self)", "\(SigningInterceptor.self)",
      "\(CachingInterceptor.self)", "\(DNSBypassInterceptor.self)", "\(CompressionInterceptor.self)",
      "\(LoggingInterceptor.self)", "\(HTTPField.self)",
    ]
    #expect(Set(names).count == 13)
  }
}
