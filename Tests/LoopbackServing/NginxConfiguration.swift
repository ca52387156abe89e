/// The contents of nginx's configuration file.
struct NginxConfiguration {
  let folder: String
  let port: Int
  let http2Port: Int
  let tlsPorts: [CertificateSet.Kind: Int]
  let certificates: CertificateSet
  let hasHTTP2: Bool
  let tlsVersions: String
  let additionalLocations: String
  let tlsSettings: String

  var text: String {
    """
    daemon off;
    master_process off;
    pid \(folder)/nginx.pid;
    error_log \(folder)/error.log notice;
    worker_rlimit_nofile 4096;
    events { worker_connections 2048; }
    http {
      access_log off;
      default_type application/octet-stream;
      keepalive_requests 1000000;
      client_max_body_size 0;
      client_body_temp_path \(folder)/temp/body;
      proxy_temp_path \(folder)/temp/proxy;
      fastcgi_temp_path \(folder)/temp/fastcgi;
      uwsgi_temp_path \(folder)/temp/uwsgi;
      scgi_temp_path \(folder)/temp/scgi;
      server {
        listen 127.0.0.1:\(port);
        listen 127.0.0.1:\(http2Port) http2;
        \(locations)
      }
      \(CertificateSet.Kind.allCases.map(tlsServer).joined(separator: "\n"))
    }

    """
  }

  private func tlsServer(_ kind: CertificateSet.Kind) -> String {
    """
    server {
      listen 127.0.0.1:\(tlsPorts[kind] ?? 0) ssl\(hasHTTP2 ? " http2" : "");
      ssl_protocols \(tlsVersions);
      \(tlsSettings)
      ssl_certificate \(certificates.certificate(kind));
      ssl_certificate_key \(certificates.key(kind));
      \(locations)
    }
    """
  }

  private var locations: String {
    """
    root \(folder)/root;
    location /store/ { dav_methods PUT; }
    location = /echo {
      default_type text/plain;
      return 200 "$server_protocol\\n$ssl_server_name\\n$http_host\\n$request_uri\\n$connection_requests\\n";
    }
    \(additionalLocations)
    """
  }
}
