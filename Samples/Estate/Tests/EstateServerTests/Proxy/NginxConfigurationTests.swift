import Testing

@testable import EstateServer

@Suite("The proxy in front of the API")
struct NginxConfigurationTests {
  @Test("The configuration names both ports, relative paths only, and a user only for root")
  func text() {
    let text = NginxConfiguration(address: "127.0.0.2", port: 8443, upstream: 8080, user: nil).text
    #expect(text.contains("listen 127.0.0.2:8443 ssl http2;"))
    #expect(text.contains("proxy_pass http://127.0.0.1:8080;"))
    #expect(text.contains("ssl_certificate ../server.pem;"))
    #expect(!text.contains("user "))
    #expect(
      NginxConfiguration(address: "127.0.0.1", port: 1, upstream: 2, user: "root").text
        .contains("\nuser root;\n"))
  }

  @Test("Without nginx the error says how to install it")
  func missing() {
    let error = #expect(throws: ProxyError.nginxMissing) {
      try NginxProgram(searchPath: "/nowhere", systemFolders: [])
    }
    #expect(error?.description.contains("apt-get install nginx") == true)
  }
}
